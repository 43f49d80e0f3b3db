import type { AttemptError, DeliveryReason } from './vocabulary.ts';

/** Explains a failed attempt or delivery to the owner of the endpoint: what happened, and what to do. Reveals nothing internal. */
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
    message: 'The connection could not be made, or was lost.',
    hint: 'Check the firewall and the receiver’s log: it may have restarted or closed the connection.',
  },
  tls_failed: {
    message: 'The host has no valid certificate for this name.',
    hint: 'Renew the certificate, send the whole chain, and check that it names this host.',
  },
  timeout: {
    message: 'No complete response arrived within 10 seconds.',
    hint: 'Respond with 200 as soon as the event is stored, and process it afterwards.',
  },
  redirect: {
    message: 'The address responded with a redirect, and redirects are not followed.',
    hint: 'Change the address of this endpoint to the redirect’s target.',
  },
  status: {
    message: 'The receiver did not respond with a success status.',
    hint: 'Respond with any status from 200 to 299 once the event is accepted.',
  },
  private_address: {
    message: 'The host now resolves to an address that is not reachable from the internet, so nothing was sent.',
    hint: 'Point every A and AAAA record of the host at a public address.',
  },
  bad_address: {
    message: 'This address cannot be called.',
    hint: 'Use an http or https address without user and password, on a web port.',
  },
  broken_answer: {
    message: 'The response was not valid HTTP.',
    hint: 'Check that the port serves HTTP (or HTTPS for an https address), without a proxy that changes it.',
  },
  interrupted: {
    message: 'We were interrupted during this attempt; the event may or may not have arrived.',
    hint: 'Nothing to do: it is sent again automatically. Use the event’s ID to recognise a repeat.',
  },
};

export const DELIVERY_REASON_TEXTS: Readonly<Record<DeliveryReason, Explanation>> = {
  endpoint_inactive: {
    message: 'The endpoint was switched off or removed, so this event was stored and not sent.',
    hint: 'Switch the endpoint on and recover what it missed.',
  },
  private_address: DELIVERY_ERRORS.private_address,
  gone: {
    message: 'The receiver responded with 410: this address is gone for good.',
    hint: 'Remove this endpoint, or correct its address and recover what it missed.',
  },
  attempts_exhausted: {
    message: 'None of the attempts succeeded.',
    hint: 'Fix the receiver, then send this event again or recover everything it missed.',
  },
  cancelled: { message: 'The recovery this belonged to was cancelled.', hint: 'Send it again, or start another recovery.' },
};

/** Statuses with a known cause. */
const STATUS_TEXTS: Readonly<Record<number, Explanation>> = {
  400: { message: 'The receiver could not read the request (400).', hint: 'Compare what it expects with the body shown here.' },
  401: {
    message: 'The receiver asked for a login (401).',
    hint: 'We sign each request instead of logging in: check X-Service-Signature, and leave logins off this path.',
  },
  403: {
    message: 'The receiver refused the request (403).',
    hint: 'Check its firewall or bot protection, and how it verifies the signature.',
  },
  404: { message: 'There is nothing at this path (404).', hint: 'Correct the path in the address.' },
  405: { message: 'The receiver does not accept POST at this path (405).', hint: 'Correct the path, or accept POST there.' },
  410: DELIVERY_REASON_TEXTS.gone,
  413: { message: 'The receiver found the body too large (413).', hint: 'Raise its limit for request bodies.' },
  415: { message: 'The receiver does not accept JSON (415).', hint: 'Accept application/json.' },
  429: {
    message: 'The receiver got too many requests (429).',
    hint: 'Raise its rate limit.',
  },
};

/** Errors after a success status: the event arrived, so it is not sent again. */
const ACCEPTED_TEXTS: Readonly<Record<'connection_failed' | 'timeout' | 'broken_answer', Explanation>> = {
  connection_failed: {
    message: 'The receiver accepted the event, then closed the connection before its response was complete.',
    hint: 'Nothing to do for this event. Check that Content-Length matches the body of the response.',
  },
  timeout: {
    message: 'The receiver accepted the event, but its response was not complete within 10 seconds.',
    hint: 'Nothing to do for this event. Respond with an empty body.',
  },
  broken_answer: {
    message: 'The receiver accepted the event, but the rest of its response was not valid HTTP.',
    hint: 'Nothing to do for this event. Check the proxy in front of the receiver.',
  },
};

/** Whether the receiver responded with a success status, also when the rest of its response broke. */
export function isAccepted({ httpStatus }: { httpStatus: number | null }): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}

/** Explains what went wrong with an attempt; null when nothing did or it is in progress. */
export function explainAttempt(attempt: { error: AttemptError | null; httpStatus: number | null }): Explanation | null {
  if (attempt.error === null) return null;
  const { httpStatus } = attempt;
  if (isAccepted(attempt)) {
    const { error } = attempt;
    return ACCEPTED_TEXTS[error === 'timeout' || error === 'broken_answer' ? error : 'connection_failed'];
  }
  if (attempt.error !== 'status' || httpStatus === null) return DELIVERY_ERRORS[attempt.error];
  const known = STATUS_TEXTS[httpStatus];
  if (known) return known;
  if (httpStatus >= 500) {
    return {
      message: `The receiver returned a server error (${httpStatus}).`,
      hint: 'Look at the receiver’s log for the time of this attempt.',
    };
  }
  return { message: `The receiver responded with ${httpStatus}, which is not a success status.`, hint: DELIVERY_ERRORS.status.hint };
}
