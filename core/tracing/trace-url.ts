/** Where the trace id goes in a template. */
const PLACE = '{traceId}';

/** Returns why a text is no template of the address of a trace; null when it is one. */
export function traceUrlProblem(template: string): string | null {
  if (template.split(PLACE).length !== 2) return `write ${PLACE} exactly once, for example https://traces.example.com/trace/${PLACE}`;
  const filled = fillTraceUrl(template, '0'.repeat(32));
  if (!/^https?:\/\//i.test(filled) || !URL.canParse(filled)) return 'write an http or https address';
  const { username, password, hostname } = new URL(filled);
  if (username !== '' || password !== '') return 'write the address without a user name and password';
  return hostname.includes('0'.repeat(32)) ? `${PLACE} may not be part of the host` : null;
}

/** Returns the address of a trace. `template` is one that `traceUrlProblem` accepts. */
export function fillTraceUrl(template: string, traceId: string): string {
  return template.replace(PLACE, traceId);
}
