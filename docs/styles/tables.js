// A wide table is scrolled by the keyboard too: the theme makes its frame after the page, and nothing in it takes the focus.
new MutationObserver(() => {
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
    frame.tabIndex = 0;
  }
}).observe(document.documentElement, { childList: true, subtree: true });
