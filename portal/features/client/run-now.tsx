import { agentState } from '@partner-portal/core/agent/state.ts';
import { isEmail } from '@partner-portal/core/template/value-forms.ts';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useMessages } from '../../app/messages.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useSend } from '../../shared/use-send.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { joinWords } from '../../ui/text/format.ts';
import type { Agent } from './queries.ts';

/** Starts an agent that needs no event, such as a report, after saying who gets mail. Absent for an agent that cannot run now. */
export function RunNow({ agent }: { agent: Agent }) {
  const { t } = useMessages();
  const [isAsking, setAsking] = useState(false);
  const refusal = useRefusal('agents.trigger');
  const run = useSend({
    call: (input: Record<string, never>, key) =>
      api.triggerWorkflow({ params: { workflowId: agent.id }, body: { input }, headers: { 'idempotency-key': key } }),
    onSent: () => {
      setAsking(false);
      announce(t('client.runStarted', { name: agent.name }));
      void refreshAfter('clientRunReported');
    },
  });
  if (!agent.runsWithoutInput || !CAN_RUN.has(agentState(agent))) return null;
  const people = mailedBy(agent);
  return (
    <>
      <Button icon={<Play aria-hidden />} disabledReason={refusal} onClick={() => setAsking(true)}>
        {t('client.runNow')}
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={t('client.runNowTitle', { name: agent.name })}>
        <p className="text-ink-2">
          {t('client.runNowLead')} {people.length > 0 ? t('client.runNowMails', { people: joinWords(people) }) : null}
        </p>
        <DialogActions>
          <Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>
          <Button kind="primary" busy={run.isSending && t('client.starting')} onClick={() => run.send({})}>
            {t('client.runNow')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

const CAN_RUN: ReadonlySet<ReturnType<typeof agentState>> = new Set(['ok', 'failing', 'silent']);

/** The addresses in its settings. */
function mailedBy({ configSchema, config }: Agent): string[] {
  return configSchema.flatMap(({ key }) => [config[key]].flat().filter((value) => typeof value === 'string' && isEmail(value)) as string[]);
}
