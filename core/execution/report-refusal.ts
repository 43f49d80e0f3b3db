import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import type { ReportRefusal } from '@partner-portal/contract/vocabulary.ts';

const REASONS: { readonly [code in ErrorCode]?: ReportRefusal } = {
  invalid_callback_token: 'bad_token',
  not_found: 'unknown_run',
  malformed_json: 'unreadable',
  unsupported_media_type: 'unreadable',
  request_timeout: 'unreadable',
  validation_failed: 'invalid',
  too_large: 'too_large',
  rate_limited: 'rate_limited',
  service_unavailable: 'unavailable',
  took_too_long: 'unavailable',
  internal_error: 'unavailable',
};

/**
 * Returns the reason under which a refused report of a run is counted. Null for one that is refused on purpose: the flow of a chatbot's turn reports
 * without naming a run, since its answer was the result (EXE-33).
 */
export function reportRefusalOf(code: ErrorCode, fields: readonly string[]): ReportRefusal | null {
  if (code === 'validation_failed' && fields.includes('executionId')) return null;
  return REASONS[code] ?? 'invalid';
}
