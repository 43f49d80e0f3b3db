import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { checkConfig } from './settings.ts';
import type { Json } from './types.ts';
import {
  endsWithoutText,
  isByWhatsApp,
  noTextFor,
  textedInputs,
  textedSettings,
  withoutCostlyRecipients,
  withoutListedRecipients,
} from './texted.ts';

const templates = new Map(loadBundles().map(({ template }) => [template.name, template]));
const templateOf = (name: string) => {
  const found = templates.get(name);
  assert.ok(found);
  return found;
};

describe('whom the texts of a template go to', () => {
  it('is an input of six templates, and a setting of one', () => {
    const inputs = [...templates.values()]
      .filter((one) => textedInputs(one).length > 0)
      .map((one) => `${one.name} ${textedInputs(one).join()}`);
    assert.deepEqual(inputs.toSorted(), [
      'ai-faq-reply from',
      'appointment-reminder attendeePhone',
      'missed-call-text-back callerNumber',
      'no-show-rebooking attendeePhone',
      'quote-follow-up customerPhone',
      'review-request customerPhone',
    ]);
    assert.deepEqual(textedSettings(templateOf('lead-qualifier')), ['ownerPhone']);
  });

  it('each template that texts someone obeys the service in its newest flow', () => {
    for (const template of templates.values())
      assert.equal(template.obeysNoTextSince !== undefined, textedInputs(template).length > 0, template.name);
  });

  it('a premium-rate caller gets no text, one of the own country does', () => {
    const template = templateOf('missed-call-text-back');
    assert.equal(
      noTextFor(template, { callerNumber: '+19005550199', businessNumber: '+13125550100' }, ['US'])?.reason,
      'number_not_textable',
    );
    assert.equal(noTextFor(template, { callerNumber: '+442079460000' }, ['US'])?.reason, 'country_not_allowed');
    assert.equal(noTextFor(template, { callerNumber: '+13125550121', businessNumber: '+18005550199' }, ['US']), null);
    assert.equal(noTextFor(templateOf('lead-intake-cleaner'), { phone: '+19005550199' }, ['US']), null, 'it texts no one');
  });

  it('a number that is left out always has a reason', () => {
    const template = templateOf('missed-call-text-back');
    const reasonOf = (callerNumber: Json) => noTextFor(template, {}, ['US'], { callerNumber })?.reason;
    for (const came of ['anonymous', '', ' ', [null, 0], [null, 'anonymous'], ['anonymous', 'unknown']])
      assert.equal(reasonOf(came), 'caller_withheld', JSON.stringify(came));
    for (const came of ['ACME', 72_975, [null], {}, true, [[]], ['x', {}]])
      assert.equal(reasonOf(came), 'number_not_textable', JSON.stringify(came));
    for (const came of [null, []]) assert.equal(reasonOf(came), undefined, JSON.stringify(came));
  });

  it('only a caller withholds a number: the phone field of a form was not filled in', () => {
    for (const [name, key] of [
      ['review-request', 'customerPhone'],
      ['no-show-rebooking', 'attendeePhone'],
      ['quote-follow-up', 'customerPhone'],
      ['appointment-reminder', 'attendeePhone'],
    ] as const)
      for (const came of ['', ' ', 'n/a', 'none'])
        assert.deepEqual(noTextFor(templateOf(name), {}, ['US'], { [key]: came }), {
          reason: 'no_phone_number',
          message: 'There is no phone number to text',
        });
    assert.equal(noTextFor(templateOf('review-request'), {}, ['US'], { customerPhone: '12345' })?.reason, 'number_not_textable');
    assert.equal(noTextFor(templateOf('ai-faq-reply'), {}, ['US'], { from: '' })?.reason, 'caller_withheld');
  });

  it('an answer goes to WhatsApp where its person wrote there', () => {
    const faq = templateOf('ai-faq-reply');
    assert.equal(isByWhatsApp(faq, { from: 'whatsapp:+13125550121', to: 'whatsapp:+14155238886' }), true);
    for (const from of ['+13125550121', '', undefined, 7]) assert.equal(isByWhatsApp(faq, { from, to: 'whatsapp:+14155238886' }), false);
  });

  it('a run ends before its flow when the flow only texts, or is older than the rule', () => {
    assert.equal(endsWithoutText(templateOf('missed-call-text-back'), 4), true);
    assert.equal(endsWithoutText(templateOf('appointment-reminder'), 4), false, 'it may still write a mail');
    assert.equal(endsWithoutText(templateOf('appointment-reminder'), 3), true);
  });

  it('a setting names no recipient that costs a multiple', () => {
    const template = templateOf('lead-qualifier');
    const [problem] = checkConfig(template, { ownerPhone: '+19005550199' });
    assert.match(problem?.message ?? '', /premium-rate/);
    assert.deepEqual(checkConfig(template, { ownerPhone: '+442079460000' }), []);
    assert.equal(withoutCostlyRecipients(template, { ownerPhone: '+19005550199', hotScore: 70 })['ownerPhone'], '');
    assert.equal(withoutCostlyRecipients(template, { ownerPhone: '+442079460000' })['ownerPhone'], '+442079460000');
  });

  it('a recipient of the settings who is on the stop list is left out, and the others stay', () => {
    const leads = { ownerPhone: '+13125550177', ownerEmail: 'Owner@oak.example', fromAddress: 'hello@oak.example', hotScore: 70 };
    const left = (listed: string[]) => withoutListedRecipients(templateOf('lead-qualifier'), leads, listed);
    assert.deepEqual(left(['+13125550177']), { ...leads, ownerPhone: '' });
    assert.deepEqual(left(['owner@oak.example', 'hello@oak.example']), { ...leads, ownerEmail: '' });
    assert.deepEqual(left([]), leads);
    const report = { recipients: ['A@oak.example', 'b@oak.example'] };
    assert.deepEqual(withoutListedRecipients(templateOf('daily-sql-report'), report, ['a@oak.example']), { recipients: ['b@oak.example'] });
  });
});
