/**
 * Code steps have what a bare isolate gives: the language, and nothing of the web or the host, as in the real engine. One thing is taken away:
 * machine code of a step's own would run outside the checks of the language.
 */
export const PRELUDE = 'delete globalThis.WebAssembly;';

/** Runs the step's `code` on JSON text and answers JSON text: no object ever crosses the border. Only steps of earlier versions print. */
export const WRAPPER = `
import { code } from 'step';
const { parse, stringify } = JSON;
const printed = globalThis.__printed;
delete globalThis.__printed;
export default async (text) => {
  try {
    return stringify({ output: await code(parse(text)) });
  } catch (thrown) {
    const lines = printed?.() ?? '';
    return stringify({ error: String(thrown) + (lines === '' ? '' : '\\n--- stdout ---\\n' + lines) });
  }
};
`;
