import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatDuration } from '../../ui/text/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Section } from '../../ui/layout/layout.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { eventCatalogueQuery } from '../../queries/event-catalogue.ts';
import { VerifySnippet } from '../../shared/verify-snippet.tsx';
import { type Cause, type Pasted, type Verdict, verifySignature } from './verify-signature.ts';

const TOLERANCE_SECONDS = 300;

/** Verifies a webhook signature in the browser; nothing is sent. */
export function SignatureVerifier() {
  const { data } = useQuery(eventCatalogueQuery);
  const tolerance = data?.verification.toleranceSeconds ?? TOLERANCE_SECONDS;
  const [verdict, setVerdict] = useState<Verdict>();
  const form = useForm<Pasted, Verdict>({
    saved: { body: '', header: '', secret: '' },
    send: (values) => verifySignature(values, Date.now() / 1000, tolerance),
    onSaved: setVerdict,
    keepValues: true,
  });
  const pasted = form.values;
  const set = (key: keyof Pasted) => (text: string) => {
    form.set({ [key]: text });
    setVerdict(undefined);
  };
  const isComplete = pasted.body !== '' && pasted.header.trim() !== '' && pasted.secret !== '';
  return (
    <div className="grid items-start gap-x-10 gap-y-8 rail:grid-cols-2">
      <Form form={form} className="grid max-w-[620px] grid-cols-[minmax(0,1fr)] gap-4">
        <p className="text-ink-2">Paste what your endpoint received. The check runs in your browser; nothing is sent or stored.</p>
        <Field label="Body" note="raw, byte for byte">
          {(ids) => (
            <TextArea
              {...ids}
              mono
              rows={7}
              spellCheck={false}
              autoComplete="off"
              placeholder='{"id":"evt_…","type":"webhook.test", …'
              value={pasted.body}
              onChange={(event) => set('body')(event.target.value)}
            />
          )}
        </Field>
        <TextField
          label="Header X-Service-Signature"
          mono
          spellCheck={false}
          autoComplete="off"
          placeholder="t=…,v1=…"
          value={pasted.header}
          onChange={set('header')}
        />
        <TextField
          label="Signing secret"
          hint="Including whsec_"
          mono
          type="password"
          spellCheck={false}
          autoComplete="off"
          placeholder="whsec_…"
          value={pasted.secret}
          onChange={set('secret')}
        />
        {globalThis.isSecureContext ? (
          <div>
            <Button kind="primary" type="submit" inactive={!isComplete}>
              Check signature
            </Button>
          </div>
        ) : (
          <Note tone="warn">Your browser can check signatures on https pages only. Use one of the snippets instead.</Note>
        )}
        <div aria-live="polite">{verdict ? <Result verdict={verdict} tolerance={tolerance} /> : null}</div>
      </Form>
      <Section title="Verify signatures in your code">
        <VerifySnippet />
      </Section>
    </div>
  );
}

const CAUSES: Record<Cause, ReactNode> = {
  line_break: (
    <>It matches without the whitespace around the body. Check the raw body, byte for byte, before anything trims or adds to it.</>
  ),
  reformatted: <>It matches the same JSON without whitespace. Check the raw body before a JSON parser touches it.</>,
  secret_blanks: <>It matches without the whitespace around the secret. Trim the secret where your code reads it.</>,
};

function Result({ verdict, tolerance }: { verdict: Verdict; tolerance: number }) {
  switch (verdict.result) {
    case 'header_unreadable':
      return (
        <Note tone="bad">
          <b>Invalid header.</b> The format is <code>t=&lt;seconds&gt;,v1=&lt;64 hexadecimal digits&gt;</code>.
        </Note>
      );
    case 'differs':
      return (
        <Note tone="bad">
          <b>Does not match.</b>{' '}
          {verdict.because ? CAUSES[verdict.because] : 'The body was changed in transit, or the secret belongs to another endpoint.'}
        </Note>
      );
    case 'matches':
      return verdict.isOld ? (
        <Note tone="warn">
          <b>
            Matches, but the timestamp is {verdict.ageSeconds < 0 ? 'ahead' : 'old'} by{' '}
            {formatDuration(Math.abs(verdict.ageSeconds) * 1000)}.
          </b>{' '}
          Receivers should refuse signatures older than {formatDuration(tolerance * 1000)} to prevent replays
          {verdict.ageSeconds < 0 ? '; check the clocks of both machines.' : '.'}
        </Note>
      ) : (
        <Note tone="ok">
          <b>Matches.</b> Signed {formatDuration(Math.abs(verdict.ageSeconds) * 1000)} ago with this secret.
        </Note>
      );
  }
}
