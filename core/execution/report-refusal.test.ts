import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routes } from '@partner-portal/contract/index.ts';
import { REPORT_REFUSALS } from '@partner-portal/contract/vocabulary.ts';
import { reportRefusalOf } from './report-refusal.ts';

describe('the reason of a refused report', () => {
  it('is one of the list for every code the route declares, and each can occur', () => {
    const undeclared = ['unsupported_media_type', 'request_timeout', 'too_large', 'service_unavailable', 'internal_error'] as const;
    const found = [...routes.reportExecution.errors, ...undeclared].map((code) => reportRefusalOf(code, []));
    assert.deepEqual(new Set(found), new Set(REPORT_REFUSALS));
  });

  it('is none when it names no run, as the flow of a turn does; any other field that is wrong counts', () => {
    assert.equal(reportRefusalOf('validation_failed', ['executionId', 'status']), null);
    assert.equal(reportRefusalOf('validation_failed', ['status']), 'invalid');
    assert.equal(reportRefusalOf('invalid_callback_token', ['executionId']), 'bad_token');
  });
});
