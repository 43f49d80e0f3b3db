import type { Action, Trigger } from '../protocol.ts';

/** The one name beyond the language that code steps of earlier versions used: enough of it to write and read a form. */
const EARLIER_GLOBALS = `
class URLSearchParams {
  #pairs = [];
  constructor(init) {
    const decode = (text) => { const plain = text.replace(/\\+/g, ' '); try { return decodeURIComponent(plain); } catch { return plain; } };
    if (init === undefined || init === null) return;
    if (typeof init === 'string') {
      for (const part of init.replace(/^\\?/, '').split('&')) {
        if (part === '') continue;
        const at = part.indexOf('=');
        this.append(decode(at < 0 ? part : part.slice(0, at)), at < 0 ? '' : decode(part.slice(at + 1)));
      }
    } else if (typeof init[Symbol.iterator] === 'function') for (const [key, value] of init) this.append(key, value);
    else for (const key of Object.keys(init)) this.append(key, init[key]);
  }
  append(key, value) { this.#pairs.push([String(key), String(value)]); }
  get(key) { return this.#pairs.find(([name]) => name === String(key))?.[1] ?? null; }
  toString() {
    const encode = (text) => encodeURIComponent(text.replace(/\\p{Surrogate}/gu, '\\uFFFD')).replace(/%20/g, '+').replace(/[!'()~]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());
    return this.#pairs.map(([key, value]) => encode(key) + '=' + encode(value)).join('&');
  }
}
`;

/** Returns the tree of a flow that was stored when code steps had more than the language, with what they had in front of each of them. */
export function withEarlierGlobals(trigger: Trigger): Trigger {
  const copy = structuredClone(trigger);
  prepend(copy.nextAction);
  return copy;
}

function prepend(action: Action | null | undefined): void {
  for (let step = action; step; step = step.nextAction) {
    if (step.type === 'CODE') step.settings.sourceCode.code = `${EARLIER_GLOBALS}${step.settings.sourceCode.code}`;
    if (step.type === 'LOOP_ON_ITEMS') prepend(step.firstLoopAction);
    if (step.type === 'ROUTER') for (const child of step.children) prepend(child);
  }
}
