/** What an error code means and what helps, in words. The part before the underscore names a service; the rest is how it answered. */
export function fixFor(code: string): string | undefined {
  const exact = FIXES[code];
  if (exact) return exact;
  return Object.entries(ENDINGS).find(([ending]) => code.endsWith(ending))?.[1];
}

const FIXES: Record<string, string> = {
  timeout: 'No report arrived in time. If this stays, ask your platform team to look at the engine; then run it again.',
  dispatch_failed: 'The event never reached the agent. Look at the Setup page, then run it again.',
  missing_input: 'Send the missing value with the event, or edit the input and run it again.',
  step_failed: 'Look at what the step was given and what it answered, edit the input and run it again.',
  invalid_phone: 'Send the number with its country code, such as +13125550148.',
};

const ENDINGS: Record<string, string> = {
  _not_e164: 'Send the number with its country code, such as +13125550148, or edit the input and run it again.',
  _unauthorized: 'The service refused the key. Replace it on the Integrations page, then run it again.',
  _refused_key: 'The service refused the key. Replace it on the Integrations page, then run it again.',
  _401: 'The service refused the key. Replace it on the Integrations page, then run it again.',
  _403: 'The key may not do this. Give it the right at the service, then run it again.',
  _400: 'The service did not accept a value. Compare what was sent with its answer, edit the input and run it again.',
  _404: 'The service does not know what was asked for. Check the agent’s settings.',
  _422: 'The service did not accept a value. Compare what was sent with its answer, edit the input and run it again.',
  _429: 'The service takes no more requests for the moment. Run it again in a few minutes.',
  _rate_limited: 'The service takes no more requests for the moment. Run it again in a few minutes.',
  _unreachable: 'The service could not be reached. It is mostly back within minutes; run it again then.',
};

/** Whether the cause lies with a stored key, so that Integrations is the place to go. */
export function isKeyTrouble(code: string): boolean {
  return /_(unauthorized|refused_key|401|403)$/.test(code);
}
