import type { Json } from '../../ui/text/json-viewer.tsx';
import type { Workflow } from '../../queries/agents.ts';

type Inputs = NonNullable<Workflow['inputs']>;

export const SNIPPETS = ['curl', 'form', 'phone', 'web'] as const;
export type SnippetKind = (typeof SNIPPETS)[number];

/** Snippets that send an event with the template's example values. */
export function snippetFor(kind: SnippetKind, url: string, inputs: Inputs): { name: string; code: string; note: string } {
  const sent = inputs.filter((input) => input.required || input.example !== null);
  const texts = sent.filter((input) => typeof input.example !== 'object');
  switch (kind) {
    case 'curl':
      return {
        name: 'cURL, JSON',
        note: 'Works from any server or automation tool. The response is 202 with the run’s ID.',
        code: `curl -X POST '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -H 'Idempotency-Key: your-own-event-id' \\\n  -d '${quote(JSON.stringify(Object.fromEntries(sent.map((input) => [input.key, input.example])), null, 2))}'`,
      };
    case 'form':
      return {
        name: 'cURL, form post',
        note: 'For tools that post forms. The table below lists other field names that work.',
        code: [`curl -X POST '${url}'`, ...texts.map((input) => `  --data-urlencode '${input.key}=${quote(plain(input.example))}'`)].join(
          ' \\\n',
        ),
      };
    case 'phone':
      return {
        name: 'Webhook URL (POST)',
        note: 'Paste this into your phone provider as the webhook for missed calls. Its field names, such as From and To, are recognised.',
        code: url,
      };
    case 'web':
      return {
        name: 'HTML form, posted by your server',
        note: 'Keep the URL secret, on your server. This form posts to your server, which forwards the fields.',
        code: [
          `<form method="post" action="/your-own-handler">`,
          ...texts.map((input) => `  <label>${input.label} <input name="${input.key}"${input.required ? ' required' : ''}></label>`),
          '  <button>Send</button>',
          '</form>',
          '',
          '// your-own-handler',
          `await fetch('${url}', { method: 'POST', body: new URLSearchParams(await request.formData()) });`,
        ].join('\n'),
      };
  }
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Escapes text for a single-quoted shell string. */
function quote(text: string): string {
  return text.replaceAll("'", `'\\''`);
}
