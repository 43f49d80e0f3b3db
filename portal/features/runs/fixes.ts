/** Fixes by error code. The prefix names a service; the suffix states how it responded. */
export function fixFor(code: string): string | undefined {
  const exact = FIXES[code];
  if (exact) return exact;
  return Object.entries(ENDINGS).find(([ending]) => code.endsWith(ending))?.[1];
}

const FIXES: Record<string, string> = {
  timeout: 'No result arrived in time. Run it again; if it keeps happening, contact your platform team.',
  dispatch_failed: 'The event never reached the agent. Check the Setup page, then run it again.',
  missing_input: 'Include the missing value in the event, or edit the input and run it again.',
  step_failed: 'Check the step’s input and response, edit the input and run it again.',
  invalid_phone: 'Send the number with its country code, such as +13125550148.',
};

const ENDINGS: Record<string, string> = {
  _not_e164: 'Send the number with its country code, such as +13125550148, or edit the input and run it again.',
  _unauthorized: 'The service refused the key. Replace it on the Integrations page, then run it again.',
  _refused_key: 'The service refused the key. Replace it on the Integrations page, then run it again.',
  _401: 'The service refused the key. Replace it on the Integrations page, then run it again.',
  _403: 'The key lacks a permission. Grant it at the service, then run it again.',
  _400: 'The service rejected a value. Compare the request with its response, edit the input and run it again.',
  _404: 'The service could not find the requested item. Check the agent’s settings.',
  _422: 'The service rejected a value. Compare the request with its response, edit the input and run it again.',
  _429: 'The service is rate limiting requests. Run it again in a few minutes.',
  _rate_limited: 'The service is rate limiting requests. Run it again in a few minutes.',
  _unreachable: 'The service could not be reached. Run it again in a few minutes.',
};

/** Returns whether a stored credential caused the error, so the fix is under Integrations. */
export function isKeyProblem(code: string): boolean {
  return /_(unauthorized|refused_key|401|403)$/.test(code);
}
