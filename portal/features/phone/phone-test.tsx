import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import { useIsSandbox } from '../../app/current-user.ts';
import { fieldErrors, InvalidInput } from '../../app/errors.ts';
import { queryClient } from '../../app/query-client.ts';
import { useUser } from '../../app/session.ts';
import type { Agent, Workflow } from '../../queries/agents.ts';
import { agentSampleQuery, phonePreviewQuery } from '../../queries/agent-sample.ts';
import { clientQuery } from '../../queries/clients.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import type { JsonObject } from '../../shared/edit-input-dialog.tsx';
import { runCost } from '../../shared/run-cost.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { countTexts, MessagePreview } from '../../shared/message-preview.tsx';
import { type Message, readMessage } from '../../shared/rendered-message.ts';
import { useSend } from '../../shared/use-send.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { readPreference } from '../../ui/hooks/use-preference.ts';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { DialogActions } from '../../ui/overlays/dialog.tsx';
import { formatPhone, plural } from '../../ui/text/format.ts';
import { phoneInputOf, phoneTestInput, senderInputOf } from './phone-input.ts';
import { PhoneLayout } from './phone-layout.tsx';
import { PhoneOutcome, useSentText } from './phone-outcome.tsx';

type Props = {
  agent: Agent;
  workflow: Workflow;
  onClose: () => void;
  /** The form of the agent has changes that are not saved. */ isChanged: boolean;
};
type Sent = { executionId: string; to: string; message: Message };

const UNREADABLE = 'This number cannot be read. Write it with its country code, such as +1 312 555 0148.';
/** As many digits as the shortest national numbers have. */
const COMPLETE = /(?:\p{Nd}\P{Nd}*){6}/u;

/** The number, the text as it will arrive and its costs; then what became of it. The number is kept in the run alone. */
export function PhoneTest({ agent, workflow, onClose, isChanged }: Props) {
  const user = useUser();
  const isSandbox = useIsSandbox();
  // What its owner has named as their phone on this device (shared/recipients.tsx); it is only read here.
  const [number, setNumber] = useState(() => readPreference(`own-phone.${user.id}`) ?? '');
  const [sender, setSender] = useState<string>();
  const [errors, setErrors] = useState<{ number?: string | undefined; sender?: string | undefined }>({});
  const [refusals, setRefusals] = useState(0);
  const [sent, setSent] = useState<Sent>();
  const form = useRef<HTMLFormElement>(null);
  const phone = phoneInputOf(workflow);
  // The sandbox takes any number; a real account only texts from its own.
  const senderInput = isSandbox ? undefined : senderInputOf(workflow);
  const client = useQuery({ ...clientQuery(agent.clientId ?? ''), enabled: senderInput !== undefined && agent.clientId !== null }).data;
  const senderNumber = sender ?? client?.phone ?? '';
  // Only the sample, whose preview is no act in the audit log: the number is read by the service once, when it is sent.
  const sample = useQuery(agentSampleQuery(agent.id));
  const inputWith = (example: JsonObject, numbers: { to: string; from: string }): JsonObject =>
    phoneTestInput(workflow, example, {
      ...(phone ? { [phone.key]: numbers.to } : {}),
      ...(senderInput && numbers.from.trim() !== '' ? { [senderInput.key]: numbers.from } : {}),
    });
  const message = messageOf(sample.data);
  // The sample has a number of its own, which says nothing of the reader's.
  const quiet = sample.data?.notTexted.find(({ reason }) => reason === 'quiet_hours');

  const send = useSend({
    call: async (numbers: { to: string; from: string }, key) => {
      const { input: example } = await queryClient.ensureQueryData(agentSampleQuery(agent.id));
      const read = await queryClient.fetchQuery(phonePreviewQuery(agent.id, inputWith(example, numbers)));
      const understood = phone && read.input[phone.key];
      // A person whose number cannot be read would be left out of the run.
      if (phone && (typeof understood !== 'string' || !understood.startsWith('+')))
        throw new InvalidInput([{ field: `input.${phone.key}`, code: 'invalid', message: UNREADABLE }]);
      const { executionId } = await api.triggerWorkflow({
        params: { workflowId: agent.id },
        body: { input: read.input, isTest: true },
        headers: { 'idempotency-key': key },
      });
      return { executionId, to: String(understood), message: messageOf(read) };
    },
    onSent: (done) => {
      setSent(done);
      void refreshAfter('runStarted');
    },
    onFailed: (error) => {
      const found = fieldErrors(error);
      const ofNumber = phone && found[`input.${phone.key}`] !== undefined ? UNREADABLE : undefined;
      const ofSender = senderInput && found[`input.${senderInput.key}`];
      setErrors({ number: ofNumber, sender: ofSender });
      setRefusals((before) => before + 1);
      return ofNumber !== undefined || ofSender !== undefined;
    },
  });
  useEffect(() => form.current?.querySelector('input')?.focus(), [sent]);
  // Not while someone corrects one of two.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [refusals]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (send.isSending) return;
    const missing = {
      number: COMPLETE.test(number) ? undefined : UNREADABLE,
      sender: senderInput && senderNumber.trim() === '' ? 'Enter the number that texts are sent from.' : undefined,
    };
    setErrors(missing);
    if (missing.number === undefined && missing.sender === undefined) send.send({ to: number, from: senderNumber });
    else setRefusals((before) => before + 1);
  };
  const from = agent.clientName ?? user.partner.name;
  if (sent)
    return (
      <PhoneOutcome
        agent={agent}
        id={sent.executionId}
        to={sent.to}
        isSandbox={isSandbox}
        onAgain={() => setSent(undefined)}
        onClose={onClose}
        phone={<SentText id={sent.executionId} from={from} to={sent.to} message={sent.message} />}
      />
    );
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <PhoneLayout
        phone={
          <MessagePreview
            compact
            from={from}
            text={message.body ?? '…'}
            {...(COMPLETE.test(number) ? { before: `To ${number.trim()}` } : {})}
            {...(message.note ? { after: message.note } : {})}
          />
        }
        actions={
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" type="submit" busy={send.isSending && 'Sending'}>
              Send text
            </Button>
          </DialogActions>
        }
      >
        {isSandbox ? (
          <Note tone="live">This is the sandbox: no text leaves this machine. You read it here as it would arrive.</Note>
        ) : (
          <p className="text-ink-2">
            This sends one real text, as a test, to this number only.
            {agent.configSchema.some(({ key }) => key === 'handoffEmail') ? ' If the agent cannot answer, it also mails your team.' : null}
          </p>
        )}
        <TextField
          label="Your phone number"
          type="tel"
          name="tel"
          autoComplete="tel"
          inputMode="tel"
          required
          value={number}
          onChange={(text) => {
            setNumber(text);
            setErrors((before) => ({ ...before, number: undefined }));
          }}
          error={errors.number}
          hint={agent.clientName ? `Without a country code it is a number of ${agent.clientName}’s country.` : 'With its country code.'}
        />
        {senderInput ? (
          <TextField
            label="Sent from"
            type="tel"
            autoComplete="off"
            inputMode="tel"
            required
            value={senderNumber}
            onChange={(text) => {
              setSender(text);
              setErrors((before) => ({ ...before, sender: undefined }));
            }}
            error={errors.sender}
            hint="A number of the connected Twilio account."
          />
        ) : null}
        <div className="[&_dd]:py-1.25 [&_dd]:leading-5 [&_dd]:whitespace-normal">
          <KeyValues
            rows={[
              [
                'Costs',
                runCost(
                  `${plural(agent.creditsPerRun, 'credit')}, ${quiet ? 'also when no text is sent' : 'nothing if the run fails'}`,
                  agent,
                ),
              ],
              ['Counts', `among the results of ${agent.clientName ?? 'your agency'}, as any run`],
              ...(message.note ? [] : lengthRow(message)),
            ]}
          />
        </div>
        {quiet ? (
          <Note tone="warn">
            <b>No text will be sent now.</b> {quiet.message}.
          </Note>
        ) : null}
        {isChanged ? <Note tone="warn">Your changes are not saved yet, so the text is without them.</Note> : null}
        {sample.error ? <ErrorBlock error={sample.error} onRetry={() => void sample.refetch()} /> : null}
      </PhoneLayout>
    </form>
  );
}

/** The phone after the run: the text as it was sent, or none. */
function SentText({ id, from, to, message }: { id: string; from: string; to: string; message: Message }) {
  const { text, isKnown } = useSentText(id, message.body ?? '…');
  return <MessagePreview compact from={from} before={isKnown ? `To ${formatPhone(to)}` : 'The text of the failed run'} text={text} />;
}

/** The first text among the messages of a preview. */
function messageOf(preview: { steps: readonly { rendered: Parameters<typeof readMessage>[0] }[] } | undefined): Message {
  return preview?.steps.map(({ rendered }) => readMessage(rendered)).find(({ channel }) => channel === 'text') ?? {};
}

function lengthRow({ body }: Message): [string, string][] {
  if (body === undefined) return [];
  const { characters, parts } = countTexts(body);
  return [['Length', `${characters} characters, ${parts === 1 ? '1 text' : `${parts} texts`}`]];
}
