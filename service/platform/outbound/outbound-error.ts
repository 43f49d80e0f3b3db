/**
 * Why a call to another system failed. A fixed vocabulary that customers may see; details for the operator are in `cause`.
 */
export type OutboundReason =
  | 'bad_address'
  | 'private_address'
  | 'name_not_found'
  | 'connection_refused'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'aborted'
  | 'broken_answer';

/**
 * `sent` is true when the other side may have received the request. Only requests that were certainly not sent are safe to repeat.
 */
export class OutboundError extends Error {
  readonly reason: OutboundReason;
  readonly sent: boolean;
  constructor(reason: OutboundReason, sent: boolean, cause?: unknown) {
    super(OUTBOUND_WORDS[reason], cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.reason = reason;
    this.sent = sent;
  }
}

export const OUTBOUND_WORDS: Record<OutboundReason, string> = {
  bad_address: 'Use an http or https address without user and password, on a web port.',
  private_address: 'This address is not reachable from the internet.',
  name_not_found: 'The host name could not be found.',
  connection_refused: 'The host refused the connection.',
  connection_failed: 'The connection could not be made or was lost.',
  tls_failed: 'The host has no valid certificate.',
  timeout: 'The host did not answer in time.',
  aborted: 'The call was stopped.',
  broken_answer: 'The answer could not be read.',
};

const NOT_SENT: Record<string, OutboundReason> = {
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  EAI_NODATA: 'name_not_found',
  EHOSTUNREACH: 'connection_failed',
  ENETUNREACH: 'connection_failed',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
};

/** Classifies an error of the HTTP library. Unknown errors count as sent, to be safe. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const chain =
    error instanceof AggregateError ? [error, ...(error.errors as unknown[])] : [error, error instanceof Error ? error.cause : undefined]; // unknown members, checked below
  for (const link of chain) {
    if (link instanceof OutboundError) return link;
    const code = link instanceof Error && 'code' in link ? String(link.code) : '';
    const reason = NOT_SENT[code];
    if (reason) return new OutboundError(reason, false, error);
    if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL|EPROTO)/.test(code))
      return new OutboundError('tls_failed', false, error);
    if (isBroken(link, code)) return new OutboundError('broken_answer', true, error);
    if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return new OutboundError('timeout', true, error);
  }
  if (error instanceof Error && error.name === 'TimeoutError') return new OutboundError('timeout', true, error);
  if (error instanceof Error && error.name === 'AbortError') return new OutboundError('aborted', true, error);
  return new OutboundError('connection_failed', true, error);
}

/** The response is not HTTP, or was not requested. The library has a code for only some of these. */
function isBroken(link: unknown, code: string): boolean {
  if (/^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/.test(code)) return true;
  if (!(link instanceof Error)) return false;
  return link.name === 'HTTPParserError' || (code === 'UND_ERR_SOCKET' && /^bad (upgrade|response)$/.test(link.message));
}
