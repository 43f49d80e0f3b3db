import { tokenize } from './tokenize.ts';
import type { Token } from './tokenize.ts';

export type Node =
  | { kind: 'literal'; value: unknown }
  | { kind: 'name'; name: string }
  | { kind: 'member'; object: Node; key: Node; optional: boolean; bracket: boolean }
  | { kind: 'call'; object: Node; method: string; args: Node[] }
  | { kind: 'unary'; sign: string; value: Node }
  | { kind: 'binary'; sign: string; left: Node; right: Node }
  | { kind: 'logical'; sign: string; left: Node; right: Node }
  | { kind: 'ternary'; test: Node; yes: Node; no: Node }
  | { kind: 'list'; items: Node[] };

const BINDING: Record<string, number> = {
  '??': 1,
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '===': 3,
  '!==': 3,
  '<': 4,
  '>': 4,
  '<=': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
const LOGICAL = new Set(['??', '||', '&&']);
const LITERALS: Record<string, unknown> = { true: true, false: false, null: null, undefined: undefined };
const DEPTH_MAX = 100;

class Refused extends Error {}

class Parser {
  private readonly tokens: Token[];
  private at = 0;
  private depth = 0;

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  parse(): Node {
    const node = this.ternary();
    if (this.at < this.tokens.length) throw new Refused();
    return node;
  }

  private peek(sign: string): boolean {
    const token = this.tokens[this.at];
    return token?.kind === 'sign' && token.value === sign;
  }

  private take(sign: string): boolean {
    if (!this.peek(sign)) return false;
    this.at += 1;
    return true;
  }

  private expect(sign: string): void {
    if (!this.take(sign)) throw new Refused();
  }

  private ternary(): Node {
    // Nesting is bounded, or a hostile text of brackets would exhaust the stack.
    this.depth += 1;
    if (this.depth > DEPTH_MAX) throw new Refused();
    const test = this.binary(0);
    let node = test;
    if (this.take('?')) {
      const yes = this.ternary();
      this.expect(':');
      node = { kind: 'ternary', test, yes, no: this.ternary() };
    }
    this.depth -= 1;
    return node;
  }

  private binary(floor: number): Node {
    let left = this.unary();
    for (;;) {
      const token = this.tokens[this.at];
      const power = token?.kind === 'sign' ? BINDING[token.value] : undefined;
      if (token?.kind !== 'sign' || power === undefined || power <= floor) return left;
      this.at += 1;
      const right = this.binary(power);
      left = { kind: LOGICAL.has(token.value) ? 'logical' : 'binary', sign: token.value, left, right };
    }
  }

  private unary(): Node {
    for (const sign of ['!', '-', '+']) {
      if (this.take(sign)) {
        this.depth += 1;
        if (this.depth > DEPTH_MAX) throw new Refused();
        const value = this.unary();
        this.depth -= 1;
        return { kind: 'unary', sign, value };
      }
    }
    return this.postfix(this.primary());
  }

  private postfix(start: Node): Node {
    let node = start;
    for (;;) {
      if (this.take('[')) {
        node = { kind: 'member', object: node, key: this.ternary(), optional: false, bracket: true };
        this.expect(']');
      } else if (this.peek('.') || this.peek('?.')) {
        const optional = this.peek('?.');
        this.at += 1;
        node = this.afterDot(node, optional);
      } else return node;
    }
  }

  private afterDot(object: Node, optional: boolean): Node {
    if (optional && this.take('[')) {
      const key = this.ternary();
      this.expect(']');
      return { kind: 'member', object, key, optional, bracket: true };
    }
    const name = this.tokens[this.at];
    if (name?.kind !== 'name') throw new Refused();
    this.at += 1;
    if (this.take('(')) return { kind: 'call', object, method: name.value, args: this.listUntil(')') };
    return { kind: 'member', object, key: { kind: 'literal', value: name.value }, optional, bracket: false };
  }

  private listUntil(close: string): Node[] {
    const items: Node[] = [];
    if (this.take(close)) return items;
    do items.push(this.ternary());
    while (this.take(','));
    this.expect(close);
    return items;
  }

  private primary(): Node {
    const token = this.tokens[this.at];
    if (token === undefined) throw new Refused();
    this.at += 1;
    if (token.kind === 'number' || token.kind === 'string') return { kind: 'literal', value: token.value };
    if (token.kind === 'name') {
      if (Object.hasOwn(LITERALS, token.value)) return { kind: 'literal', value: LITERALS[token.value] };
      return { kind: 'name', name: token.value };
    }
    if (token.value === '(') {
      const inner = this.ternary();
      this.expect(')');
      return inner;
    }
    if (token.value === '[') return { kind: 'list', items: this.listUntil(']') };
    throw new Refused();
  }
}

/** The tree of one expression, or undefined when it is none of ours (it then resolves to the empty text). */
export function parseExpression(source: string): Node | undefined {
  const tokens = tokenize(source);
  if (tokens === undefined || tokens.length === 0) return undefined;
  try {
    return new Parser(tokens).parse();
  } catch (thrown) {
    if (thrown instanceof Refused) return undefined;
    throw thrown;
  }
}
