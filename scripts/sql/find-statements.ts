import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * Finds the SQL of the service in its source: calls of `runStatement` and `db.call`. The text of a statement is evaluated from literals and constants; where it has what
 * exists at run time only, it is unreadable.
 */
export type FoundStatement = {
  file: string;
  line: number;
  /** Its `name` members; several where the code chooses between variants. */
  names: string[];
  /** Every text it can have. */
  texts: string[];
  /** Part of the text exists at run time only. */
  isUnreadable: boolean;
};

type Node = { type: string; start: number; end: number; [member: string]: unknown };
type Scope = {
  file: string;
  constants: Map<string, Node>;
  imports: Map<string, { source: string; name: string }>;
  /** The files whose exports this one passes on (`export * from`). */
  passedOn: string[];
};

const ROOT = join(import.meta.dirname, '..', '..');
const PACKAGE = '@partner-portal/';
const VARIANTS_MAX = 16;

/** Statements of all non-test files under `service/`. */
export function findStatements(): FoundStatement[] {
  const files = globSync('service/**/*.ts', { cwd: ROOT }).filter((file) => !file.includes('.test.') && !file.endsWith('.gen.ts'));
  return files.sort().flatMap((file) => findInFile(join(ROOT, file)));
}

const scopes = new Map<string, { scope: Scope; program: Node; source: string }>();

function findInFile(file: string): FoundStatement[] {
  const { scope, program, source } = load(file);
  const found: FoundStatement[] = [];
  const at = (node: Node) => ({ file: relative(ROOT, file), line: source.slice(0, node.start).split('\n').length });
  visit(program, (node) => {
    if (node.type === 'CallExpression' && isRunner(node['callee'] as Node)) {
      const args = node['arguments'] as Node[];
      const options = args.map((arg) => resolveObject(arg, scope)).find((one) => one !== undefined);
      if (options === undefined) return;
      const name = member(options.members, 'name');
      const text = member(options.members, 'text');
      if (text === undefined) return;
      const texts = unique(raw(text, scope, new Map()));
      found.push({
        ...at(node),
        names: name === undefined ? [] : raw(name, scope, new Map()),
        texts,
        isUnreadable: texts.some((one) => one.includes(UNKNOWN)),
      });
    }
  });
  return found;
}

function load(file: string): { scope: Scope; program: Node; source: string } {
  const known = scopes.get(file);
  if (known) return known;
  const source = readFileSync(file, 'utf8');
  const program = parseSync(file, source).program as unknown as Node; // ESTree, read generically
  const scope: Scope = { file, constants: new Map(), imports: new Map(), passedOn: [] };
  for (const statement of program['body'] as Node[]) {
    const declared = statement.type === 'ExportNamedDeclaration' ? ((statement['declaration'] as Node | null) ?? statement) : statement;
    if (declared.type === 'VariableDeclaration') {
      for (const one of declared['declarations'] as Node[]) {
        const id = one['id'] as Node;
        if (id.type === 'Identifier' && one['init']) scope.constants.set(String(id['name']), one['init'] as Node);
      }
    }
    if (declared.type === 'FunctionDeclaration') scope.constants.set(String((declared['id'] as Node)['name']), declared);
    if (statement.type === 'ExportAllDeclaration') scope.passedOn.push(String((statement['source'] as Node)['value']));
    if (statement.type === 'ImportDeclaration') {
      for (const one of statement['specifiers'] as Node[]) {
        const imported = one['imported'] as Node | undefined;
        if (imported)
          scope.imports.set(String((one['local'] as Node)['name']), {
            source: String((statement['source'] as Node)['value']),
            name: String(imported['name']),
          });
      }
    }
  }
  const loaded = { scope, program, source };
  scopes.set(file, loaded);
  return loaded;
}

/** What exists at run time only. */
const UNKNOWN = '\u0000';

/** All texts an expression can evaluate to. */
function raw(node: Node, scope: Scope, locals: Map<string, Node>, depth = 0): string[] {
  if (depth > 12) return [UNKNOWN];
  const next = (child: Node, s: Scope = scope, l: Map<string, Node> = locals): string[] => raw(child, s, l, depth + 1);
  switch (node.type) {
    case 'Literal':
      return [String(node['value'])];
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return next(node['expression'] as Node);
    case 'TemplateLiteral':
      return joinTemplate(node, next);
    case 'ConditionalExpression':
      return unique([...next(node['consequent'] as Node), ...next(node['alternate'] as Node)]);
    case 'BinaryExpression':
      return cross([next(node['left'] as Node), next(node['right'] as Node)]);
    case 'Identifier': {
      const name = String(node['name']);
      const local = locals.get(name);
      if (local) return next(local, scope, new Map());
      const found = lookUp(name, scope);
      return found && isFragment(found.node) ? next(found.node, found.scope, new Map()) : [UNKNOWN];
    }
    case 'MemberExpression': {
      const value = memberOfConstant(node, scope, locals);
      return value ? next(value.node, value.scope, new Map()) : [UNKNOWN];
    }
    case 'CallExpression': {
      const callee = node['callee'] as Node;
      if (callee.type === 'MemberExpression' && (callee['property'] as Node)['name'] === 'join') {
        const elements = elementsOf(callee['object'] as Node, scope);
        const [separator] = node['arguments'] as Node[];
        if (elements && separator) {
          const glue = next(separator);
          return cross(elements.nodes.flatMap((one, index) => [...(index === 0 ? [] : [glue]), next(one, elements.scope)]));
        }
      }
      const called =
        callee.type === 'Identifier' ? (locals.get(String(callee['name'])) ?? lookUp(String(callee['name']), scope)?.node) : undefined;
      const body = called && bodyOf(called);
      if (!called || !body) return [UNKNOWN];
      const bound = new Map<string, Node>();
      for (const [index, parameter] of (called['params'] as Node[]).entries()) {
        const argument = (node['arguments'] as Node[])[index];
        if (argument && isFragment(argument)) bind(parameter, argument, bound);
      }
      return next(body, lookUp(String(callee['name']), scope)?.scope ?? scope, bound);
    }
    default:
      return [UNKNOWN];
  }
}

/** Binds an argument to a parameter, or the members of an object to those of a pattern. */
function bind(parameter: Node, argument: Node, bound: Map<string, Node>): void {
  if (parameter.type === 'Identifier') bound.set(String(parameter['name']), argument);
  if (parameter.type !== 'ObjectPattern' || argument.type !== 'ObjectExpression') return;
  for (const one of parameter['properties'] as Node[]) {
    const key = String((one['key'] as Node | undefined)?.['name']);
    const value = member(argument['properties'] as Node[], key);
    if (value) bind(one['value'] as Node, value, bound);
  }
}

function joinTemplate(node: Node, next: (child: Node) => string[]): string[] {
  const quasis = (node['quasis'] as Node[]).map((one) => String((one['value'] as { cooked: string }).cooked));
  const parts = (node['expressions'] as Node[]).map((one) => next(one));
  return cross(quasis.flatMap((text, index) => [[text], ...(parts[index] ? [parts[index]] : [])]));
}

function cross(parts: string[][]): string[] {
  return parts.reduce<string[]>((all, part) => unique(all.flatMap((head) => part.map((tail) => head + tail))).slice(0, VARIANTS_MAX), ['']);
}

/** The value of `CONSTANT.member`. */
function memberOfConstant(node: Node, scope: Scope, locals: Map<string, Node>): { node: Node; scope: Scope } | undefined {
  const object = node['object'] as Node;
  const name = object.type === 'Identifier' ? String(object['name']) : '';
  const local = locals.get(name);
  const found = local ? { node: local, scope } : lookUp(name, scope);
  const literal = found && plain(found.node);
  if (!found || literal?.type !== 'ObjectExpression') return undefined;
  const value = member(literal['properties'] as Node[], String((node['property'] as Node)['name']));
  return value && { node: value, scope: found.scope };
}

function elementsOf(node: Node, scope: Scope): { nodes: Node[]; scope: Scope } | undefined {
  const found = node.type === 'Identifier' ? lookUp(String(node['name']), scope) : { node, scope };
  const array = found && plain(found.node);
  return found && array?.type === 'ArrayExpression' ? { nodes: array['elements'] as Node[], scope: found.scope } : undefined;
}

/** Without `as const` and `satisfies`. */
function plain(node: Node): Node {
  return node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? plain(node['expression'] as Node) : node;
}

/** The expression a function returns, when it is a single one. */
function bodyOf(node: Node): Node | undefined {
  const body = node['body'] as Node | null | undefined;
  if (!body) return undefined;
  if (body.type !== 'BlockStatement') return body;
  const returns = (body['body'] as Node[]).filter((one) => one.type === 'ReturnStatement');
  const [only] = returns;
  return returns.length === 1 && only ? ((only['argument'] as Node | null) ?? undefined) : undefined;
}

/** An expression whose text may be evaluated, as opposed to a value. */
function isFragment(node: Node): boolean {
  switch (node.type) {
    case 'Literal':
    case 'TemplateLiteral':
    case 'ConditionalExpression':
    case 'BinaryExpression':
    case 'CallExpression':
    case 'MemberExpression':
    case 'ArrowFunctionExpression':
    case 'ObjectExpression':
    case 'TSAsExpression':
      return true;
    default:
      return false;
  }
}

function lookUp(name: string, scope: Scope): { node: Node; scope: Scope } | undefined {
  const own = scope.constants.get(name);
  if (own) return { node: own, scope };
  const imported = scope.imports.get(name);
  if (!imported) return undefined;
  return lookUpExport(imported, scope.file);
}

function lookUpExport({ source, name }: { source: string; name: string }, from: string): { node: Node; scope: Scope } | undefined {
  const path = resolveImport(source, from);
  if (!path) return undefined;
  const other = load(path).scope;
  const node = other.constants.get(name);
  if (node) return { node, scope: other };
  for (const passed of other.passedOn) {
    const found = lookUpExport({ source: passed, name }, path);
    if (found) return found;
  }
  return undefined;
}

function resolveImport(source: string, from: string): string | undefined {
  if (source.startsWith('.')) return resolve(dirname(from), source);
  if (source.startsWith(PACKAGE)) return join(ROOT, source.slice(PACKAGE.length));
  return source.startsWith('#') ? join(ROOT, 'service', source.slice(1)) : undefined;
}

function resolveObject(node: Node, scope: Scope): { members: Node[] } | undefined {
  if (node.type === 'ObjectExpression') {
    const members = (node['properties'] as Node[]).flatMap((one) => {
      if (one.type !== 'SpreadElement') return [one];
      const spread = resolveObject(one['argument'] as Node, scope);
      return spread ? spread.members : [];
    });
    return { members };
  }
  if (node.type === 'Identifier') {
    const found = lookUp(String(node['name']), scope);
    return found && found.node.type !== 'Identifier' ? resolveObject(found.node, found.scope) : undefined;
  }
  return undefined;
}

function member(members: Node[], name: string): Node | undefined {
  const found = members.find((one) => one.type === 'Property' && ((one['key'] as Node)['name'] ?? (one['key'] as Node)['value']) === name);
  return found?.['value'] as Node | undefined;
}

function isRunner(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee['name'] === 'runStatement';
  return callee.type === 'MemberExpression' && (callee['property'] as Node)['name'] === 'call';
}

function visit(node: unknown, on: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, on);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && typeof node.type === 'string') on(node as Node);
  for (const value of Object.values(node)) visit(value, on);
}

const unique = (texts: string[]): string[] => [...new Set(texts)];
