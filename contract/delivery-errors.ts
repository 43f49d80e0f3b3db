import type { AttemptError, DeliveryReason } from './vocabulary.ts';

/**
 * What the person who owns an endpoint reads about an attempt or a delivery that went wrong: what happened, and what to do.
 * Product words only; nothing of our side. Source: product.md §3 (Webhook delivery), §10.
 */
export type Explanation = { message: string; hint: string };

export const DELIVERY_ERRORS: Readonly<Record<AttemptError, Explanation>> = {
  name_not_found: {
    message: 'The host name of the address could not be found.',
    hint: 'Check the spelling of the host, and that its DNS record is public.',
  },
  connection_refused: {
    message: 'The host refused the connection.',
    hint: 'Nothing listens on that port. Start the receiver, or correct the port in the address.',
  },
  connection_failed: {
    message: 'The connection could not be made, or broke off.',
    hint: 'Look at the firewall and at the receiver’s own log: it may have restarted or closed the connection.',
  },
  tls_failed: {
    message: 'The host has no valid certificate for this name.',
    hint: 'Renew the certificate, send the whole chain, and check that it names this host.',
  },
  timeout: {
    message: 'No complete answer came within 10 seconds.',
    hint: 'Answer with 200 as soon as the event is stored, and work on it afterwards.',
  },
  redirect: {
    message: 'The address answered with a redirect, and redirects are not followed.',
    hint: 'Change the address of this endpoint to where it really leads.',
  },
  status: {
    message: 'The receiver answered, but not with success.',
    hint: 'Answer with any status from 200 to 299 once the event is taken.',
  },
  private_address: {
    message: 'The host now leads to an address that is not reachable from the internet, so nothing was sent.',
    hint: 'Point the host’s DNS record, every A and AAAA of it, at a public address.',
  },
  bad_address: {
    message: 'This address cannot be called.',
    hint: 'Use an http or https address without user and password, on a port that is meant for the web.',
  },
  broken_answer: {
    message: 'The answer could not be read as HTTP.',
    hint: 'Check that the port speaks HTTP (or HTTPS when the address says so), without anything in between.',
  },
  interrupted: {
    message: 'Our side was interrupted during this attempt; the event may or may not have arrived.',
    hint: 'Nothing to do: it is sent again by itself. Use the event’s id to recognise a repeat.',
  },
};

export const DELIVERY_REASON_TEXTS: Readonly<Record<DeliveryReason, Explanation>> = {
  endpoint_inactive: {
    message: 'The endpoint was switched off or removed, so this event was kept and not sent.',
    hint: 'Switch the endpoint on and recover the time it missed.',
  },
  private_address: DELIVERY_ERRORS.private_address,
  gone: {
    message: 'The receiver answered 410, which says that nobody listens there any more.',
    hint: 'Remove this endpoint, or correct its address and recover what it missed.',
  },
  attempts_exhausted: {
    message: 'None of the attempts succeeded.',
    hint: 'Mend the receiver, then send this event again or recover the whole time.',
  },
  cancelled: { message: 'The recovery this belonged to was cancelled.', hint: 'Send it again, or start another recovery.' },
};

/** Statuses whose cause is known well enough to be named. */
const STATUS_WORDS: Readonly<Record<number, Explanation>> = {
  400: { message: 'The receiver could not read the request (400).', hint: 'Compare what it expects with the body shown here.' },
  401: {
    message: 'The receiver asked for a login (401).',
    hint: 'We sign each request instead of signing in: check X-Service-Signature, and leave logins off this path.',
  },
  403: {
    message: 'The receiver turned the request away (403).',
    hint: 'Look at its firewall or bot protection, and at how it checks the signature.',
  },
  404: { message: 'There is nothing at this path (404).', hint: 'Correct the path in the address.' },
  405: { message: 'The receiver takes no POST at this path (405).', hint: 'Correct the path, or let it take POST.' },
  410: DELIVERY_REASON_TEXTS.gone,
  413: { message: 'The receiver found the body too large (413).', hint: 'Raise its limit for request bodies.' },
  415: { message: 'The receiver does not take JSON (415).', hint: 'Let it take application/json.' },
  429: {
    message: 'The receiver was asked too often (429).',
    hint: 'Raise its rate limit. A Retry-After header is honoured where the schedule allows it.',
  },
};

/** An attempt's failure in words; null for one that succeeded or is under way. */
export function explainAttempt(attempt: { error: AttemptError | null; httpStatus: number | null }): Explanation | null {
  if (attempt.error === null) return null;
  const { httpStatus } = attempt;
  if (attempt.error !== 'status' || httpStatus === null) return DELIVERY_ERRORS[attempt.error];
  const known = STATUS_WORDS[httpStatus];
  if (known) return known;
  if (httpStatus >= 500) {
    return {
      message: `The receiver failed by itself (${httpStatus}).`,
      hint: 'Look at the receiver’s log for the time of this attempt.',
    };
  }
  return { message: `The receiver answered ${httpStatus}, which is no success.`, hint: DELIVERY_ERRORS.status.hint };
}
