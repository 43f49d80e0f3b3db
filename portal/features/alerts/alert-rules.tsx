import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useMessages } from '../../app/messages.ts';
import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { useIsMailOff } from '../../queries/service-readiness.ts';
import { useMailed } from '../../shared/mailed.ts';
import { queryClient } from '../../app/query-client.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { formatNumber, joinWords, plural } from '../../ui/text/format.ts';
import { Section } from '../../ui/layout/layout.tsx';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { type AlertRules as Rules, alertRulesQuery } from './queries.ts';
import { useLoaded } from '../../app/route-data.ts';
import '../../ui/forms/field.css';

/** The partner's alert rules and who gets their mail, as sentences; admins open the form. */
export function AlertRules() {
  const rules = useLoaded(alertRulesQuery);
  const refusal = useRefusal('alerts.manage');
  const { t } = useMessages();
  const isMailOff = useIsMailOff();
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="When alerts open"
      className="max-w-form"
      aside={
        isOpen ? undefined : (
          <Button size="sm" disabledReason={refusal} onClick={() => setOpen(true)}>
            Change
          </Button>
        )
      }
    >
      {isOpen ? (
        <RulesForm rules={rules} onClose={() => setOpen(false)} />
      ) : (
        <ul className="border-t border-line" aria-label="Alert rules">
          {sentencesOf(rules, isMailOff ? t('common.noMail') : undefined).map((sentence) => (
            <li key={sentence} className="border-b border-line-soft py-2.5 text-pretty">
              {sentence}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function sentencesOf({ usageThresholds, failureStreak, silentDays, recipients, team }: Rules, noMail: string | undefined): string[] {
  const names = recipients.map((email) => team.find((member) => member.email === email)?.fullName || email);
  return [
    usageThresholds.length === 0
      ? 'No alert opens for used credits.'
      : `An alert opens when ${joinWords(usageThresholds.map((share) => `${share}%`))} of the month’s credits are used.`,
    failureStreak === 1
      ? 'An alert opens when a run of an agent fails.'
      : `An alert opens when an agent fails ${formatNumber(failureStreak)} times in a row.`,
    `An alert opens when an agent that has run before has no run for ${plural(silentDays, 'day')}.`,
    noMail
      ? `${noMail} Everyone sees alerts in the bell.`
      : `Alert e-mails go to ${names.length === 0 ? 'all admins' : joinWords(names)}. Everyone else sees alerts in the bell.`,
  ];
}

type Values = { thresholds: string; failureStreak: string; silentDays: string; recipients: readonly string[] };

const valuesOf = (rules: Rules): Values => ({
  thresholds: rules.usageThresholds.join(', '),
  failureStreak: String(rules.failureStreak),
  silentDays: String(rules.silentDays),
  recipients: rules.recipients,
});
/** Parses "50, 80, 100"; an invalid number is left for the server to refuse. */
const numbersOf = (text: string): number[] =>
  text
    .split(/[\s,;%]+/)
    .filter(Boolean)
    .map(Number);

function RulesForm({ rules, onClose }: { rules: Rules; onClose: () => void }) {
  const { t } = useMessages();
  const mailed = useMailed();
  const form = useForm({
    saved: valuesOf(rules),
    send: ({ thresholds, failureStreak, silentDays, recipients }) =>
      formApi.putAlertRules({
        body: {
          usageThresholds: numbersOf(thresholds),
          failureStreak: Number(failureStreak),
          silentDays: Number(silentDays),
          recipients: [...recipients],
        },
      }),
    onSaved: (after) => {
      queryClient.setQueryData(alertRulesQuery.queryKey, after);
      announce('Alert rules saved.');
      onClose();
    },
    fieldNames: { usageThresholds: 'thresholds' },
  });
  const { values, set } = form;
  const badRecipient = form.errors['recipients'];
  return (
    <SettingsForm form={form} refusal={undefined} className="max-w-form pt-3">
      <TextField
        label="Credits used, in percent"
        hint="Opens one alert per threshold and period. Separate thresholds with commas."
        inputMode="numeric"
        {...form.input('thresholds')}
      />
      <TextField
        label="Agent failing after"
        hint="Failed runs in a row"
        type="number"
        min={1}
        max={LIMITS.alertStreakMax}
        className="max-w-32"
        {...form.input('failureStreak')}
      />
      <TextField
        label="Agent silent after"
        hint="Days without a run, for agents that have run before"
        type="number"
        min={1}
        max={LIMITS.alertSilentDaysMax}
        className="max-w-32"
        {...form.input('silentDays')}
      />
      <fieldset>
        <legend className="field-label">Who gets alert e-mails</legend>
        {rules.team.map((member) => (
          <Checkbox
            key={member.email}
            label={member.fullName || member.email}
            hint={member.email}
            checked={values.recipients.includes(member.email)}
            onChange={(event) =>
              set({
                recipients: event.target.checked
                  ? [...values.recipients, member.email].sort()
                  : values.recipients.filter((address) => address !== member.email),
              })
            }
          />
        ))}
        <p className="field-hint" data-bad={badRecipient ? '' : undefined} role={badRecipient ? 'alert' : undefined}>
          {badRecipient ??
            mailed(
              values.recipients.length === 0
                ? 'No one selected: all admins get the e-mails.'
                : 'Everyone else still sees alerts in the bell.',
              t('common.noMail'),
            )}
        </p>
      </fieldset>
      <div>
        <Button
          kind="quiet"
          onClick={() => {
            form.reset();
            onClose();
          }}
        >
          Close without saving
        </Button>
      </div>
    </SettingsForm>
  );
}
