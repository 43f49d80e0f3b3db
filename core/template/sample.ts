import { fillBounded } from './placeholders.ts';
import type { Template } from './types.ts';

/** The client or agency that a sample agent is shown for; a link that the business has not given is an example. */
export type SampleOwner = { name: string; businessProfile: { readonly [key: string]: string | null | undefined } };

const LINK = /^\w+Url$/;
const LINE_MAX = 2_000;

/** Returns the sample conversation as it would be for this business: `{businessName}` and the links of its profile are filled in. */
export function sampleConversation(template: Template, owner: SampleOwner): Template['sampleConversation'] {
  const valueOf = (name: string): string => {
    if (name === 'businessName') return owner.name;
    return LINK.test(name) ? owner.businessProfile[name] || `https://example.com/${name.replace(/Url$/, '')}` : '';
  };
  return template.sampleConversation.map((line) => ({ ...line, text: fillBounded(line.text, /\{(\w+)\}/g, valueOf, LINE_MAX) }));
}
