import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { endsWithoutMail, mailedInputs, noMailFor } from './mailed.ts';

const templates = loadBundles().map(({ template }) => template);
const templateOf = (name: string) => {
  const found = templates.find((one) => one.name === name);
  assert.ok(found);
  return found;
};

describe('whom the mails of a template go to', () => {
  it('is an input of four templates: the contact of two, which obey the stop list as such, and of two that obey it since a version', () => {
    const inputs = templates
      .filter((one) => mailedInputs(one).length > 0)
      .map((one) => [one.name, ...mailedInputs(one), one.obeysNoMailSince]);
    assert.deepEqual(
      inputs.toSorted(([one], [other]) => String(one).localeCompare(String(other))),
      [
        ['ai-email-triage', 'replyTo', 'fromEmail', undefined],
        ['appointment-reminder', 'attendeeEmail', 6],
        ['lead-follow-up-email', 'leadEmail', undefined],
        ['quote-follow-up', 'customerEmail', 6],
      ],
    );
  });

  it('is no one whose address is listed, as the stop list writes it', () => {
    const template = templateOf('quote-follow-up');
    assert.equal(noMailFor(template, { customerEmail: 'Ada@Example.com' }, ['ada@example.com'])?.reason, 'on_stop_list');
    assert.equal(noMailFor(template, { customerEmail: 'bo@example.com', note: 'ada@example.com' }, ['ada@example.com']), null);
    assert.equal(noMailFor(template, {}, ['ada@example.com']), null);
    const triage = templateOf('ai-email-triage');
    const form = { fromEmail: 'wordpress@oak.example', replyTo: 'ada@example.com' };
    assert.equal(noMailFor(triage, form, ['ada@example.com'])?.reason, 'on_stop_list', 'where answers go');
    assert.equal(noMailFor(triage, form, ['wordpress@oak.example']), null);
    assert.equal(noMailFor(triage, { fromEmail: 'ada@example.com' }, ['ada@example.com'])?.reason, 'on_stop_list');
  });

  it('is decided before the flow where that is older than the rule', () => {
    assert.equal(endsWithoutMail(templateOf('quote-follow-up'), 5), true);
    assert.equal(endsWithoutMail(templateOf('quote-follow-up'), 6), false);
    assert.equal(endsWithoutMail(templateOf('lead-follow-up-email'), 1), false);
  });
});
