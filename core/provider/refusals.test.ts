import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FAILURE_CODES, failureOf } from '../execution/failures.ts';
import { isPersonReason, PERSON_MESSAGES, readRefusal, REFUSAL_MEANINGS, refusalPage, refusedField } from './refusals.ts';

/** The code a flow reports, and the reason of the stop or the code of the failure. */
const CASES: [reported: string, meaning: string][] = [
  // The person.
  ['twilio_400_21211', 'number_unknown'],
  ['twilio_400_21604', 'number_unknown'],
  ['twilio_400_30005', 'number_unknown'],
  ['twilio_400_21610', 'opted_out_at_provider'],
  ['twilio_400_21614', 'not_mobile'],
  ['twilio_400_21635', 'not_mobile'],
  ['twilio_400_21265', 'not_mobile'],
  ['twilio_400_30006', 'not_mobile'],
  ['twilio_400_21408', 'region_not_enabled'],
  ['twilio_400_21612', 'number_unreachable'],
  ['twilio_400_21214', 'number_unreachable'],
  ['twilio_400_30003', 'number_unreachable'],
  ['twilio_400_30004', 'number_unreachable'],
  ['twilio_400_21266', 'own_number'],
  // The account and the settings.
  ['twilio_401_20003', 'twilio_key_refused'],
  ['twilio_403_20003', 'twilio_key_refused'],
  ['twilio_404_20404', 'twilio_account_unknown'],
  ['twilio_401_20005', 'twilio_account_inactive'],
  ['twilio_400_30002', 'twilio_account_inactive'],
  ['twilio_429_20429', 'twilio_too_fast'],
  ['twilio_400_21212', 'twilio_sender_rejected'],
  ['twilio_400_21603', 'twilio_sender_rejected'],
  ['twilio_400_21606', 'twilio_sender_rejected'],
  ['twilio_400_21659', 'twilio_sender_rejected'],
  ['twilio_400_21660', 'twilio_sender_rejected'],
  ['twilio_400_21703', 'twilio_sender_rejected'],
  ['twilio_400_30034', 'twilio_sender_unregistered'],
  ['twilio_400_21608', 'twilio_trial_account'],
  ['twilio_400_21602', 'twilio_text_empty'],
  ['twilio_400_21617', 'twilio_text_too_long'],
  ['twilio_400_21605', 'twilio_text_too_long'],
  ['twilio_400_30007', 'twilio_text_blocked'],
  ['twilio_400_21611', 'twilio_queue_full'],
  ['twilio_400_30008', 'twilio_down'],
  ['twilio_429_63038', 'twilio_daily_limit'],
  ['twilio_400_99999', 'twilio_refused'],
  ['resend_401_restricted_api_key', 'resend_key_restricted'],
  ['resend_403_invalid_api_key', 'resend_key_refused'],
  ['resend_403_validation_error', 'resend_sender_address_rejected'],
  ['resend_401_validation_error', 'resend_key_refused'],
  ['resend_422_validation_error', 'resend_refused'],
  ['resend_422_invalid_from_address', 'resend_sender_address_rejected'],
  ['resend_429_daily_quota_exceeded', 'resend_daily_limit'],
  ['resend_429_monthly_quota_exceeded', 'resend_monthly_limit'],
  ['resend_429_rate_limit_exceeded', 'resend_too_fast'],
  ['openai_429_insufficient_quota', 'openai_no_credit'],
  ['openai_404_model_not_found', 'openai_model_unknown'],
  ['openai_400_context_length_exceeded', 'openai_too_long'],
  ['openai_401_invalid_api_key', 'openai_key_refused'],
  ['anthropic_404_not_found_error', 'anthropic_model_unknown'],
  ['anthropic_529_overloaded_error', 'anthropic_down'],
  ['anthropic_400_billing_error', 'anthropic_no_credit'],
  ['calcom_404', 'calcom_not_found'],
  ['calcom_403_forbidden', 'calcom_key_refused'],
  ['calcom_429', 'calcom_too_fast'],
  ['postgres_500_internal', 'postgres_down'],
  ['twilio_307', 'twilio_redirected'],
  ['openai_400_constructor', 'openai_refused'],
];

describe('the meaning of a refusal', () => {
  for (const [reported, meaning] of CASES)
    it(`${reported} is ${meaning}`, () => {
      const refusal = readRefusal({ code: reported, message: '' });
      assert.equal(refusal?.is === 'person' ? refusal.reason : refusal?.code, meaning);
      if (refusal?.is === 'person') assert.ok(PERSON_MESSAGES.includes(refusal.message) && isPersonReason(meaning));
      else assert.ok(FAILURE_CODES.some((code) => code === meaning) && !isPersonReason(meaning));
    });

  it('is found as well in what flows of earlier versions report', () => {
    const reasonOf = (code: string, message = '') => {
      const refusal = readRefusal({ code, message });
      return refusal?.is === 'person' ? refusal.reason : (refusal?.code ?? null);
    };
    assert.equal(reasonOf('twilio_number_rejected'), 'number_unknown');
    assert.equal(reasonOf('twilio_opted_out'), 'opted_out_at_provider');
    assert.equal(reasonOf('twilio_not_mobile'), 'not_mobile');
    assert.equal(reasonOf('twilio_region_blocked'), 'region_not_enabled');
    assert.equal(reasonOf('twilio_unreachable_number'), 'number_unreachable');
    assert.equal(reasonOf('twilio_refused', 'Twilio did not accept the request (400, 21635)'), 'not_mobile');
    assert.equal(reasonOf('twilio_refused', 'Twilio did not accept the request (400, 30034)'), 'twilio_sender_unregistered');
    // Already the code of a failure.
    assert.equal(reasonOf('twilio_sender_rejected'), null);
    assert.equal(reasonOf('twilio_refused', 'Twilio did not accept the request'), null);
  });

  it('is none for codes of ours and for text of third parties', () => {
    for (const code of ['', 'number_not_e164', 'postgres_validation_failed', 'twilio_unreachable', 'twilio_', 'constructor', 'x_400_21610'])
      assert.equal(readRefusal({ code, message: 'x' }), null, code);
  });

  it('has a page of the provider for each code of Twilio and Resend', () => {
    assert.ok(Object.keys(REFUSAL_MEANINGS.twilio).length > 40);
    assert.match(refusalPage('twilio_sender_unregistered') ?? '', /^https:\/\/www\.twilio\.com\/docs\/api\/errors\/3003[24]$/);
    assert.equal(failureOf('resend_key_restricted').page, 'https://resend.com/docs/api-reference/errors');
    assert.deepEqual([refusalPage('calcom_not_found'), refusalPage('timeout'), refusalPage('twilio_redirected')], [null, null, null]);
  });
  it('have the page of the very code that the provider answered with', () => {
    assert.equal(refusalPage('twilio_sender_rejected', 21606), 'https://www.twilio.com/docs/api/errors/21606');
    assert.equal(refusalPage('twilio_refused', '21999'), 'https://www.twilio.com/docs/api/errors/21999');
    assert.equal(refusalPage('twilio_sender_rejected', '../x'), refusalPage('twilio_sender_rejected'));
    assert.equal(refusalPage('resend_daily_limit', 'daily_quota_exceeded'), 'https://resend.com/docs/api-reference/errors');
  });
  for (const [code, member] of [
    ['twilio_sender_rejected', 'From'],
    ['twilio_recipient_rejected', 'To'],
    ['twilio_text_too_long', 'Body'],
    ['resend_sender_address_rejected', 'from'],
    ['anthropic_model_unknown', 'model'],
    ['twilio_key_refused', undefined],
    ['twilio_constructor', undefined],
    ['timeout', undefined],
  ] as const)
    it(`${code} is about ${member ?? 'no member'} of the request`, () => assert.equal(refusedField(code)?.member, member));
});
