"""Move and merge modules of src/tellapart by a table, and rewrite every import and dotted name in the tree."""
import ast, collections, pathlib, re, subprocess, sys, textwrap

ROOT = pathlib.Path(sys.argv[1]).resolve()
TABLE = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else '/tmp/mv/table.txt')
DRY = '--dry' in sys.argv
SRC = ROOT / 'src/tellapart'
P = 'tellapart'

def modname(p):
    parts = list(p.relative_to(SRC.parent).with_suffix('').parts)
    if parts[-1] == '__init__': parts.pop()
    return '.'.join(parts)

old = {modname(p): p for p in sorted(SRC.rglob('*.py'))}
text = {m: p.read_text() for m, p in old.items()}
tree = {m: ast.parse(t) for m, t in text.items()}
is_pkg = {m: p.name == '__init__.py' for m, p in old.items()}

explicit, folders = {}, []
order = collections.defaultdict(list)
for line in TABLE.read_text().splitlines():
    line = line.strip()
    if not line or line.startswith('#'): continue
    new, _, olds = line.partition(' = ')
    if new.endswith('/'):
        folders.append((olds.strip().strip('/').replace('/', '.'), new.strip('/').replace('/', '.')))
    else:
        for o in olds.split():
            o = f'{P}.{o}'
            if o not in old: print('NOT FOUND', o); continue
            explicit[o] = f'{P}.{new.strip()}'
folders.sort(key=lambda f: -len(f[0]))
new_of = {P: P}
for m in old:
    if m == P: continue
    if m in explicit: new_of[m] = explicit[m]; continue
    rel = m[len(P)+1:]
    for o, n in folders:
        if rel == o or rel.startswith(o + '.'):
            new_of[m] = f'{P}.{n}' + rel[len(o):]; break
    else:
        print('UNMAPPED', m); new_of[m] = m
for line in TABLE.read_text().splitlines():
    if ' = ' in line and not line.split(' = ')[0].endswith('/'):
        n, _, olds = line.partition(' = ')
        order[f'{P}.{n.strip()}'] = [f'{P}.{o}' for o in olds.split() if f'{P}.{o}' in old and new_of[f'{P}.{o}'] == f'{P}.{n.strip()}']
for m in old:
    if m not in order[new_of[m]]: order[new_of[m]].append(m)
news = {n: o for n, o in order.items() if o}
parents = set()
for n in news:
    parts = n.split('.')
    for i in range(1, len(parts)): parents.add('.'.join(parts[:i]))
flattened = {m for m in old if is_pkg[m] and m != P and new_of[m] not in parents}
# what each package re-exports, to its definer
definer = {}
def defined(t):
    out = set()
    for n in t.body:
        if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)): out.add(n.name)
        elif isinstance(n, (ast.Assign,)):
            for x in n.targets:
                for y in ast.walk(x):
                    if isinstance(y, ast.Name): out.add(y.id)
        elif isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name): out.add(n.target.id)
        elif hasattr(ast,'TypeAlias') and isinstance(n, ast.TypeAlias): out.add(n.name.id)
        elif isinstance(n, (ast.If, ast.Try, ast.With)):
            out |= defined(ast.Module(n.body + getattr(n,'orelse',[]), []))
    return out
defs = {m: defined(t) for m, t in tree.items()}
def resolve(mod, name, depth=0):
    """The old module which defines `name` as seen from `mod`."""
    if f'{mod}.{name}' in old: return None
    if mod not in old or name in defs[mod] or depth > 5: return mod
    for n in ast.walk(tree[mod]):
        if isinstance(n, ast.ImportFrom) and n.module and n.module.startswith(P):
            for a in n.names:
                if (a.asname or a.name) == name: return resolve(n.module, a.name, depth + 1) or mod
    return mod

import functools
@functools.cache
def bound(pkg):
    return {a.asname or a.name for n in tree[pkg].body if isinstance(n, ast.ImportFrom) and n.module and n.module != pkg for a in n.names}
renames = {}  # (old module, name) -> new name  (collisions)
RENAMES_FILE = pathlib.Path('/tmp/mv/collisions.txt')
if RENAMES_FILE.exists():
    for line in RENAMES_FILE.read_text().splitlines():
        if line.strip() and not line.startswith('#'):
            m, n, to = line.split(); renames[(f'{P}.{m}', n)] = to

problems = []
def rewrite_imports(t, source, own_new, where):
    """Replace every import of the package in `source` (text t)."""
    lines = source.split('\n')
    edits = []
    token_renames = []
    for n in ast.walk(t):
        if isinstance(n, ast.ImportFrom) and n.module and (n.module == P or n.module.startswith(P + '.')) and n.level == 0:
            if n.module not in new_of and n.module != P:
                problems.append(f'{where}: unknown module {n.module}'); continue
            groups = collections.OrderedDict()
            for a in n.names:
                full = f'{n.module}.{a.name}'
                if full in old and full != P and not (n.module in old and is_pkg[n.module] and a.name in bound(n.module)):   # a module object
                    target = new_of[full]
                    parent, _, last = target.rpartition('.')
                    local = a.asname or a.name
                    if a.name == '__name__': pass
                    if local != last and a.asname is None:
                        token_renames.append((local, last))
                        groups.setdefault(parent, []).append((last, None))
                    else:
                        groups.setdefault(parent, []).append((last, a.asname if a.asname != last else None))
                    continue
                if n.module == P:
                    groups.setdefault(P, []).append((a.name, a.asname)); continue
                src = n.module
                if src in flattened or own_new is not None:
                    r = resolve(src, a.name)
                    if src in flattened or (r and new_of.get(r) == own_new) : src = r or src
                target = new_of[src]
                name = renames.get((src, a.name), a.name)
                if name != a.name and not a.asname: token_renames.append((a.name, name))
                if target == own_new:
                    if a.asname and a.asname != name: token_renames.append((a.asname, name))
                    continue
                groups.setdefault(target, []).append((name, a.asname))
            first, last_line = n.lineno - 1, n.end_lineno - 1
            indent = lines[first][:n.col_offset]
            if indent.strip(): problems.append(f'{where}:{n.lineno} import not at line start'); continue
            tail = lines[last_line][len(lines[last_line].encode()[:n.end_col_offset].decode()):]
            if not tail.strip().startswith('#'):
                # a comment may stand behind the first line
                head = lines[first]
                m = re.search(r'\(\s*(#.*)$', head)
                tail = '  ' + m.group(1) if m else tail
            if tail.strip().startswith(';'): problems.append(f'{where}:{n.lineno} several statements')
            out = []
            for mod, names in groups.items():
                part = ', '.join(x if not y else f'{x} as {y}' for x, y in names)
                out.append(f'{indent}from {mod} import {part}{tail if "#" in tail else ""}')
            if not out and indent: out = [f'{indent}pass']
            edits.append((first, last_line, out))
        elif isinstance(n, ast.Import):
            for a in n.names:
                if a.name.startswith(P + '.'):
                    problems.append(f'{where}:{n.lineno} import {a.name}: by hand')
    for first, last_line, out in sorted(edits, reverse=True):
        lines[first:last_line + 1] = out
    source = '\n'.join(lines)
    for a, b in token_renames:
        source = re.sub(rf'(?<![\w."\'])\b{re.escape(a)}\b(?!\s*=[^=])(?!["\'])', b, source) if a != b else source
    return source

dotted = sorted((m for m in old if m != P), key=len, reverse=True)
pat = re.compile(r'(?<![\w/])(' + '|'.join(re.escape(m) for m in dotted) + r')(?![\w])(?!\()')
paths = {}
for m in old:
    if m == P: continue
    a, b = m.replace('.', '/'), new_of[m].replace('.', '/')
    if is_pkg[m]: paths[a + '/__init__.py'] = b + ('/__init__.py' if new_of[m] in parents else '.py')
    else: paths[a + '.py'] = b + ('/__init__.py' if new_of[m] in parents else '.py')
folder_paths = {}
for m in old:
    if is_pkg[m] and m != P and new_of[m] in parents: folder_paths[m.replace('.', '/')] = new_of[m].replace('.', '/')
ppat = re.compile('(' + '|'.join(re.escape(x) for x in sorted(paths, key=len, reverse=True)) + ')')
fpat = re.compile('(' + '|'.join(re.escape(x) for x in sorted(folder_paths, key=len, reverse=True)) + r')(?=[/`"\'])(?!/\d)')
def rewrite_text(s):
    s = pat.sub(lambda m: new_of[m.group(1)], s)
    s = ppat.sub(lambda m: paths[m.group(1)], s)
    return fpat.sub(lambda m: folder_paths[m.group(1)], s)

def split(m):
    """Docstring, imports (text), body (text) of a module after its imports were rewritten."""
    s = rewrite_imports(tree[m], text[m], new_of[m], m)
    for (mod, name), to in renames.items():
        if mod == m: s = re.sub(rf'(?<![\w.]){re.escape(name)}\b', to, s)
    s = re.sub(r'\nif TYPE_CHECKING:\n    pass\n(?!    )', '\n', s)
    s = re.sub(r'\nTYPE_CHECKING = False\n(?!if TYPE_CHECKING)', '\n', s) if 'if TYPE_CHECKING' not in s else s
    t = ast.parse(s)
    lines = s.split('\n')
    doc = None
    cut = []
    body_start = 0
    if t.body and isinstance(t.body[0], ast.Expr) and isinstance(t.body[0].value, ast.Constant) and isinstance(t.body[0].value.value, str):
        doc = '\n'.join(lines[t.body[0].lineno - 1:t.body[0].end_lineno])
        cut.append((t.body[0].lineno - 1, t.body[0].end_lineno))
    imports = []
    for n in t.body:
        if isinstance(n, (ast.Import, ast.ImportFrom)):
            imports.append('\n'.join(lines[n.lineno - 1:n.end_lineno]))
            cut.append((n.lineno - 1, n.end_lineno))
        elif m in flattened and isinstance(n, ast.Assign) and getattr(n.targets[0], 'id', '') == '__all__':
            cut.append((n.lineno - 1, n.end_lineno))
    for a, b in sorted(cut, reverse=True): del lines[a:b]
    body = '\n'.join(lines).strip('\n')
    return doc, imports, body

def comment_of(doc):
    d = ast.literal_eval(doc)
    out = []
    for para in d.strip().split('\n\n'):
        out += textwrap.wrap(' '.join(para.split()), 106, break_long_words=False, break_on_hyphens=False)
    return '\n'.join('# ' + x for x in out)

made = {}
for n, parts in news.items():
    if len(parts) > 1:
        # dependency order, listing order otherwise
        deps = {p: {resolve(x.module, a.name) or x.module for x in tree[p].body if isinstance(x, ast.ImportFrom) and x.module for a in x.names} & set(parts) - {p} for p in parts}
        done, todo = [], list(parts)
        while todo:
            ready = [p for p in todo if not deps[p] - set(done)]
            if not ready: problems.append(f'{n}: cycle among {todo}'); ready = todo[:1]
            done.append(ready[0]); todo.remove(ready[0])
        listed = parts
        parts = done
    names = collections.defaultdict(list)
    for p in parts:
        for x in defs[p] - ({'__all__'} if p in flattened else set()): names[renames.get((p, x), x)].append(p)
    for x, ps in names.items():
        if len(ps) > 1: problems.append(f'{n}: {x} defined in {[q.replace("tellapart.","") for q in ps]}')
    if len(parts) > 1:
        imported = collections.defaultdict(set)
        for p in parts:
            for x in ast.walk(tree[p]):
                if isinstance(x, ast.ImportFrom):
                    for a in x.names:
                        if x.module and x.module.startswith(P):
                            r = resolve(x.module, a.name) or f'{x.module}.{a.name}'
                        else: r = x.module
                        imported[a.asname or a.name].add((r, a.name))
                elif isinstance(x, ast.Import):
                    for a in x.names: imported[a.asname or a.name.split('.')[0]].add((a.name, a.name))
        for x, rs in imported.items():
            outside = {(r, a) for r, a in rs if r not in parts}
            if outside and x in names: problems.append(f'{n}: {x} imported from {outside} and defined in {names[x]}')
            if len({(new_of.get(r, r), renames.get((r, a), a)) for r, a in outside}) > 1: problems.append(f'{n}: {x} imported from several: {outside}')
    pieces = [split(p) for p in parts]
    # the docstring of the part the file is named after, else of the last
    stem = n.rpartition('.')[2]
    main = next((i for i, p in enumerate(parts) if p.rpartition('.')[2] == stem), len(parts) - 1)
    doc = pieces[main][0] or next((d for d, _, _ in pieces if d), None)
    out = []
    if doc: out.append(doc + '\n')
    imps = list(dict.fromkeys(i for _, im, _ in pieces for i in im))
    if imps: out.append('\n'.join(imps) + '\n')
    for i, (d, _, body) in enumerate(pieces):
        if not body.strip(): continue
        if d and d != doc and len(pieces) > 1: out.append(comment_of(d) + '\n\n' + body + '\n')
        else: out.append(body + '\n')
    made[n] = rewrite_text('\n'.join(out))

if '--report' in sys.argv or DRY:
    print(len(old), '->', len(made), 'modules,', len(parents - set(made)), 'packages without a module')
    for n, s in made.items():
        if s.count('\n') > 300: print('LONG', n, s.count('\n'))
    # cycles among new modules at import time
    g = collections.defaultdict(set)
    for n, s in made.items():
        for x in ast.parse(s).body:
            if isinstance(x, ast.ImportFrom) and x.module and x.module.startswith(P):
                for a in x.names:
                    g[n].add(f'{x.module}.{a.name}' if f'{x.module}.{a.name}' in made else x.module)
    idx, low, st, on, cnt = {}, {}, [], set(), [0]
    sys.setrecursionlimit(10000)
    def scc(v):
        idx[v] = low[v] = cnt[0]; cnt[0] += 1; st.append(v); on.add(v)
        for w in g[v]:
            if w not in idx: scc(w); low[v] = min(low[v], low[w])
            elif w in on: low[v] = min(low[v], idx[w])
        if low[v] == idx[v]:
            c = []
            while True:
                w = st.pop(); on.discard(w); c.append(w)
                if w == v: break
            if len(c) > 1:
                print('CYCLE', [x.replace('tellapart.', '') for x in c])
                for x in c: print('    ', x.replace('tellapart.',''), '->', [y.replace('tellapart.','') for y in g[x] if y in c])
    for v in list(g):
        if v not in idx: scc(v)
    for x in problems: print('PROBLEM', x)
    rooms = collections.Counter(n.split('.')[1] for n in made if n != P)
    print(len(rooms), dict(rooms))
if DRY: sys.exit()

# other Python files
for p in sorted([*ROOT.glob('tests/**/*.py'), *ROOT.glob('benchmarks/**/*.py'), *ROOT.glob('docs/**/*.py'), *ROOT.glob('examples/**/*.py')]):
    s = p.read_text()
    if P not in s: continue
    t = ast.parse(s)
    r = rewrite_text(rewrite_imports(t, s, None, str(p.relative_to(ROOT))))
    if r != s: p.write_text(r)
for p in [*ROOT.glob('*.md'), *ROOT.glob('docs/**/*.md'), ROOT/'pyproject.toml', ROOT/'Makefile', *ROOT.glob('.ci/*'), *ROOT.glob('examples/**/*.md')]:
    s = p.read_text(); r = rewrite_text(s)
    if r != s: p.write_text(r)
# data files move with their folder
subprocess.run(['git', '-C', str(ROOT), 'add', '-A'], check=True)
def target_path(n): 
    base = SRC.parent / n.replace('.', '/')
    return base / '__init__.py' if n in parents else base.with_suffix('.py')
datas = [p for p in SRC.rglob('*') if p.is_file() and p.suffix not in {'.py', '.pyc'} and p.parent != SRC]
moves = []
for p in datas:
    folder = p.parent
    rel = []
    while modname(folder/'__init__.py') not in old:
        rel.insert(0, folder.name); folder = folder.parent
    pk = modname(folder/'__init__.py')
    cand = DATA.get(pk[len(P)+1:]) if (DATA := {'charts':'answers/drawing'}) else None
    base = SRC / cand if cand else SRC.parent / new_of[pk].replace('.', '/')
    moves.append((p, base.joinpath(*rel) / p.name))
for p, q in moves:
    if p != q:
        q.parent.mkdir(parents=True, exist_ok=True); print('data', p.relative_to(SRC), '->', q.relative_to(SRC))
        subprocess.run(['git', '-C', str(ROOT), 'mv', str(p), str(q)], check=True)
targets = {n: target_path(n) for n in made}
# git mv the part that gives the file its docstring, remove the rest
for m, p in old.items():
    if p not in targets.values(): p.unlink()
for n, p in targets.items():
    p.parent.mkdir(parents=True, exist_ok=True); p.write_text(made[n])
for pk in sorted(parents):
    init = SRC.parent / pk.replace('.', '/') / '__init__.py'
    if not init.exists(): init.parent.mkdir(parents=True, exist_ok=True); init.write_text(f'"""{pk.rpartition(".")[2].replace("_", " ").capitalize()}."""\n'); print('new package', pk)
for d in sorted((d for d in SRC.rglob('*') if d.is_dir()), reverse=True):
    if d.name == '__pycache__' or not any(x for x in d.rglob('*') if x.is_file() and '__pycache__' not in x.parts):
        subprocess.run(['rm', '-rf', str(d)])
print('done')
