const MISSING_CREDENTIAL = 'Could not activate: missing credential for step(s) ';

/** Public error of an attempt that lacks credentials. `stepNames` are the labels of the template steps that need them. */
export function missingCredentialText(stepNames: readonly string[]): string {
  return `${MISSING_CREDENTIAL}${[...new Set(stepNames)].join(', ')}`;
}

/** That error in the words of the portal, which says key; any other text as it is. */
export function shownSetupError(text: string): string {
  return text.startsWith(MISSING_CREDENTIAL) ? `A key is missing for: ${text.slice(MISSING_CREDENTIAL.length)}.` : text;
}
