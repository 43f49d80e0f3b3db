import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatDuration, formatNumber } from '../ui/text/format.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, TextArea, TextField } from '../ui/forms/field.tsx';
import { Form } from './forms/form.tsx';
import { useForm } from './forms/use-form.ts';
import { Note } from '../ui/feedback/note.tsx';
import { eventCatalogueQuery } from '../queries/event-catalogue.ts';
import { type Cause, type Pasted, type Sent, type Verdict, verifySignature } from './verify-signature.ts';

const TOLERANCE_SECONDS = 300;

type Props = {
  /** What stands in the fields at first. */
  filled?: Sent;
  /** Known attempts to the endpoint, by which the check finds why a signature does not verify. */
  sent?: readonly Sent[];
};

/** Verifies a webhook signature in the browser; nothing is sent. */
export function SignatureChecker({ filled = { body: '', header: '' }, sent = [] }: Props) {
  const { data } = useQuery(eventCatalogueQuery);
  const tolerance = data?.verification.toleranceSeconds ?? TOLERANCE_SECONDS;
  const [verdict, setVerdict] = useState<Verdict>();
  const form = useForm<Pasted, Verdict>({
    saved: { ...filled, secret: '' },
    send: (values) => verifySignature(values, Date.now() / 1000, tolerance, sent),
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
    // Nothing here is saved, so leaving asks nothing.
    <Form form={{ ...form, isAtRisk: () => false }} className="grid grid-cols-1 gap-4">
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
  );
}

const CAUSES: Record<Cause, ReactNode> = {
  line_break: (
    <>It matches without the whitespace around the body. Check the raw body, byte for byte, before anything trims or adds to it.</>
  ),
  reformatted: <>It matches the same JSON without whitespace. Check the raw body before a JSON parser touches it.</>,
  secret_blanks: <>It matches without the whitespace around the secret. Trim the secret where your code reads it.</>,
  secret: <>Header and body are as we sent them, but this is not the secret of the endpoint. Rotate the secret if you lost it.</>,
  time_changed: <>We sent this signature with another timestamp. Use the whole header as it arrived.</>,
  not_sent: (
    <>
      None of the endpoint’s newest deliveries has this signature. The header may belong to another endpoint, or not come from us: refuse
      such an event.
    </>
  ),
};

function Result({ verdict, tolerance }: { verdict: Verdict; tolerance: number }) {
  switch (verdict.result) {
    case 'header_unreadable':
      return (
        <Note tone="bad">
          <b>Invalid header.</b> The format is <code>t=&lt;seconds&gt;,v1=&lt;64 hexadecimal digits&gt;</code>.
        </Note>
      );
    case 'body_changed':
      return (
        <Note tone="bad">
          <b>The body was changed.</b> The secret is right, but the body differs from what we sent from character {formatNumber(verdict.at)}{' '}
          on. Check the raw body, before anything parses or rewrites it.
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
