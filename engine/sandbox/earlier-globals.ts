import { HTTP_PIECE } from '../protocol.ts';
import type { Action, Trigger } from '../protocol.ts';

/** Globals that code steps of earlier versions had beyond the language: form encoding, base64, a console whose lines stand in the error. */
const EARLIER_GLOBALS = `
(() => {
  const encode = (text) => encodeURIComponent(text.replace(/\\p{Surrogate}/gu, '\\uFFFD')).replace(/%20/g, '+').replace(/[!'()~]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());
  const decode = (text) => { const plain = text.replace(/\\+/g, ' '); try { return decodeURIComponent(plain); } catch { return plain; } };
  class URLSearchParams {
    #pairs = [];
    constructor(init) {
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
    set(key, value) {
      const at = this.#pairs.findIndex(([name]) => name === String(key));
      if (at < 0) { this.append(key, value); return; }
      this.#pairs = this.#pairs.filter(([name], index) => index <= at || name !== String(key));
      this.#pairs[at] = [String(key), String(value)];
    }
    get(key) { return this.#pairs.find(([name]) => name === String(key))?.[1] ?? null; }
    getAll(key) { return this.#pairs.filter(([name]) => name === String(key)).map(([, value]) => value); }
    has(key) { return this.#pairs.some(([name]) => name === String(key)); }
    delete(key) { this.#pairs = this.#pairs.filter(([name]) => name !== String(key)); }
    forEach(each) { for (const [key, value] of this.#pairs) each(value, key, this); }
    entries() { return this.#pairs.map((pair) => [...pair])[Symbol.iterator](); }
    keys() { return this.#pairs.map(([key]) => key)[Symbol.iterator](); }
    values() { return this.#pairs.map(([, value]) => value)[Symbol.iterator](); }
    get size() { return this.#pairs.length; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return this.#pairs.map(([key, value]) => encode(key) + '=' + encode(value)).join('&'); }
  }
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const btoa = (input) => {
    const text = String(input);
    let out = '';
    for (let at = 0; at < text.length; at += 3) {
      const codes = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
      if (codes.some((code) => code > 255)) throw new Error('btoa: a character is outside Latin-1');
      const bits = (codes[0] << 16) | ((codes[1] || 0) << 8) | (codes[2] || 0);
      out += digits[bits >> 18] + digits[(bits >> 12) & 63];
      out += at + 1 < text.length ? digits[(bits >> 6) & 63] : '=';
      out += at + 2 < text.length ? digits[bits & 63] : '=';
    }
    return out;
  };
  const atob = (input) => {
    const text = String(input).replace(/\\s/g, '').replace(/=+$/, '');
    let out = '';
    let bits = 0;
    let held = 0;
    for (const letter of text) {
      const value = digits.indexOf(letter);
      if (value < 0) throw new Error('atob: the text is not base64');
      bits = ((bits << 6) | value) & 0xffffff;
      held += 6;
      if (held >= 8) { held -= 8; out += String.fromCharCode((bits >> held) & 255); }
    }
    return out;
  };
  const lines = [];
  let kept = 0;
  const print = (...parts) => {
    if (kept > 2000) return;
    const line = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ').slice(0, 500);
    kept += line.length;
    lines.push(line);
  };
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  define('URLSearchParams', URLSearchParams);
  define('btoa', btoa);
  define('atob', atob);
  define('structuredClone', (value) => JSON.parse(JSON.stringify(value)));
  define('console', { log: print, info: print, warn: print, error: print, debug: print });
  define('__printed', () => lines.join('\\n'));
})();
`;

/**
 * Returns the tree of a flow that was stored by an earlier version, as that version ran it: its code steps have more than the language, and a
 * redirect fails a call also where the step says not to follow any.
 */
export function asEarlier(trigger: Trigger): Trigger {
  const copy = structuredClone(trigger);
  change(copy.nextAction);
  return copy;
}

function change(action: Action | null | undefined): void {
  for (let step = action; step; step = step.nextAction) {
    if (step.type === 'CODE') step.settings.sourceCode.code = `${EARLIER_GLOBALS}${step.settings.sourceCode.code}`;
    if (step.type === 'PIECE' && step.settings.pieceName === HTTP_PIECE) delete step.settings.input['followRedirects'];
    if (step.type === 'LOOP_ON_ITEMS') change(step.firstLoopAction);
    if (step.type === 'ROUTER') for (const child of step.children) change(child);
  }
}
