import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadCatalog } from './index.ts';
import { sampleConversation } from '@partner-portal/core/template/sample.ts';

const templates = loadCatalog();
const missedCall = templates.find(({ name }) => name === 'missed-call-text-back');

describe('the sample conversation of a template', () => {
  it('names the business it is shown for, with the links of its profile', () => {
    assert.ok(missedCall);
    const [line] = sampleConversation(missedCall, {
      name: 'Lakeview Physio',
      businessProfile: { bookingUrl: 'https://lakeview.example/now' },
    });
    assert.equal(
      line?.text,
      'Sorry we missed your call at Lakeview Physio. You can book a time here: https://lakeview.example/now Reply STOP to opt out.',
    );
  });

  it('has an example in place of a link that the business has not given', () => {
    assert.ok(missedCall);
    const [line] = sampleConversation(missedCall, { name: 'Lakeview Physio', businessProfile: { bookingUrl: '' } });
    assert.match(line?.text ?? '', /here: https:\/\/example\.com\/booking Reply/);
  });

  it('keeps braces out of a name as they are: a name is no template', () => {
    assert.ok(missedCall);
    const [line] = sampleConversation(missedCall, { name: '{bookingUrl} Ltd', businessProfile: {} });
    assert.match(line?.text ?? '', /call at \{bookingUrl\} Ltd\./);
  });

  it('names no business of its own, in any template', () => {
    for (const template of templates)
      for (const { text } of sampleConversation(template, { name: 'Lakeview Physio', businessProfile: {} })) {
        assert.doesNotMatch(text, /[{}]/, template.name);
        assert.doesNotMatch(text, /Oak ?Street/i, template.name);
      }
  });
});
