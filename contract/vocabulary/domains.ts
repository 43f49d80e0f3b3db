/** `failing`: its record has been missing for days, so the host is no longer answered. */
export const DOMAIN_STATUSES = ['pending', 'verified', 'failing'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/**
 * Problems that a check finds: no record, another value, several other values, no answer of the name servers, the record is right and another
 * agency has proved the host before, or the host is proved and has no address.
 */
export const DOMAIN_PROBLEMS = ['record_missing', 'wrong_value', 'several_values', 'no_answer', 'taken', 'no_address'] as const;
export type DomainProblem = (typeof DOMAIN_PROBLEMS)[number];
