import type { Node } from './parse.ts';

const TEXT_METHODS = new Set([
  'trim',
  'toLowerCase',
  'toUpperCase',
  'includes',
  'startsWith',
  'endsWith',
  'slice',
  'split',
  'replace',
  'replaceAll',
  'indexOf',
  'toString',
]);
const LIST_METHODS = new Set(['includes', 'join', 'slice', 'indexOf']);
const NUMBER_METHODS = new Set(['toFixed', 'toString']);
const TEXT_RESULT_MAX = 2 * 1024 * 1024;

/** Thrown inside evaluation for what JavaScript would throw on, too; the caller turns it into "". */
export class EvaluationError extends Error {}

function read(object: unknown, key: unknown): unknown {
  if (object === null || object === undefined) throw new EvaluationError();
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  if (typeof object === 'string' || Array.isArray(object)) {
    if (key === 'length') return object.length;
    const index = typeof key === 'number' ? key : /^\d+$/.test(key) ? Number(key) : undefined;
    return index === undefined ? undefined : object[index];
  }
  // Own members only: nothing of a prototype is reachable, so neither are constructors.
  if (typeof object === 'object' && Object.hasOwn(object, key)) return Reflect.get(object, key);
  return undefined;
}

function callText(text: string, method: string, args: unknown[]): unknown {
  const [first, second] = args;
  switch (method) {
    case 'trim':
      return text.trim();
    case 'toLowerCase':
      return text.toLowerCase();
    case 'toUpperCase':
      return text.toUpperCase();
    case 'toString':
      return text;
    case 'includes':
      return text.includes(asText(first));
    case 'startsWith':
      return text.startsWith(asText(first));
    case 'endsWith':
      return text.endsWith(asText(first));
    case 'indexOf':
      return text.indexOf(asText(first));
    case 'slice':
      return text.slice(asCount(first), asCount(second));
    case 'split':
      return text.split(asText(first));
    // The replacement is a function, so that "$&" and its kin stay plain text.
    case 'replace':
      return capped(text.replace(asText(first), () => asText(second)));
    case 'replaceAll':
      return capped(text.replaceAll(asText(first), () => asText(second)));
    default:
      throw new EvaluationError();
  }
}

function callList(list: unknown[], method: string, args: unknown[]): unknown {
  const [first, second] = args;
  switch (method) {
    case 'includes':
      return list.includes(first);
    case 'indexOf':
      return list.indexOf(first);
    case 'slice':
      return list.slice(asCount(first), asCount(second));
    case 'join':
      return capped(list.map(asText).join(first === undefined ? ',' : asText(first)));
    default:
      throw new EvaluationError();
  }
}

function call(object: unknown, method: string, args: unknown[]): unknown {
  if (typeof object === 'string' && TEXT_METHODS.has(method)) return callText(object, method, args);
  if (Array.isArray(object) && LIST_METHODS.has(method)) return callList(object, method, args);
  if (typeof object === 'number' && NUMBER_METHODS.has(method)) {
    const digits = asCount(args[0]) ?? 0;
    return method === 'toFixed' ? object.toFixed(Math.min(Math.max(digits, 0), 20)) : String(object);
  }
  throw new EvaluationError();
}

function asCount(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function capped(text: string): string {
  if (text.length > TEXT_RESULT_MAX) throw new EvaluationError();
  return text;
}

function isPlain(value: unknown): value is string | number | boolean | null | undefined {
  return value === null || typeof value !== 'object';
}

function looselyEqual(left: unknown, right: unknown): boolean {
  if ((left === null || left === undefined) && (right === null || right === undefined)) return true;
  if (left === null || left === undefined || right === null || right === undefined) return false;
  if (!isPlain(left) || !isPlain(right) || typeof left === typeof right) return left === right;
  return Number(left) === Number(right);
}

function compare(sign: string, left: unknown, right: unknown): boolean {
  if (!isPlain(left) || !isPlain(right)) return false;
  const bothText = typeof left === 'string' && typeof right === 'string';
  const one = bothText ? left : Number(left ?? Number.NaN);
  const two = bothText ? right : Number(right ?? Number.NaN);
  switch (sign) {
    case '<':
      return one < two;
    case '>':
      return one > two;
    case '<=':
      return one <= two;
    default:
      return one >= two;
  }
}

function binary(sign: string, left: unknown, right: unknown): unknown {
  switch (sign) {
    case '===':
      return left === right;
    case '!==':
      return left !== right;
    case '==':
      return looselyEqual(left, right);
    case '!=':
      return !looselyEqual(left, right);
    case '<':
    case '>':
    case '<=':
    case '>=':
      return compare(sign, left, right);
    case '+':
      if (typeof left === 'string' || typeof right === 'string') return capped(`${asText(left)}${asText(right)}`);
      break;
    default:
  }
  if (!isPlain(left) || !isPlain(right)) throw new EvaluationError();
  const one = Number(left);
  const two = Number(right);
  switch (sign) {
    case '+':
      return one + two;
    case '-':
      return one - two;
    case '*':
      return one * two;
    case '/':
      return one / two;
    default:
      return one % two;
  }
}

/**
 * The value of a parsed expression over named values. Reaches own members of plain data only: no functions, no
 * prototypes, nothing of the process.
 * Throws EvaluationError where JavaScript would throw (a member of undefined, an unknown method).
 */
export function evaluate(node: Node, lookup: (name: string) => unknown): unknown {
  const value = (inner: Node): unknown => evaluate(inner, lookup);
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'name':
      return lookup(node.name);
    case 'list':
      return node.items.map(value);
    case 'member': {
      const object = value(node.object);
      if (node.optional && (object === null || object === undefined)) return undefined;
      return read(object, value(node.key));
    }
    case 'call':
      return call(value(node.object), node.method, node.args.map(value));
    case 'unary': {
      const inner = value(node.value);
      if (node.sign === '!') return !inner;
      if (!isPlain(inner)) throw new EvaluationError();
      return node.sign === '-' ? -Number(inner) : Number(inner);
    }
    case 'logical': {
      const left = value(node.left);
      if (node.sign === '&&') return left ? value(node.right) : left;
      if (node.sign === '||') return left ? left : value(node.right);
      return left ?? value(node.right);
    }
    case 'ternary':
      return value(node.test) ? value(node.yes) : value(node.no);
    case 'binary':
      return binary(node.sign, value(node.left), value(node.right));
  }
}
