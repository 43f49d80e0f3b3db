import { formApi } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { type AlertRules as Rules, alertRulesQuery } from './queries.ts';
import { useLoaded } from '../../app/route-data.ts';
import '../../ui/forms/field.css';

/** The partner's alert rules and e-mail recipients. */
export function AlertRules() {
  const rules = useLoaded(alertRulesQuery);
  return (
    <Section title="When alerts open">
      <RulesForm rules={rules} />
    </Section>
  );
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

function RulesForm({ rules }: { rules: Rules }) {
  const refusal = useRefusal('alerts.manage');
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
    },
    fieldNames: { usageThresholds: 'thresholds' },
  });
  const { values, set } = form;
  const badRecipient = form.errors['recipients'];
  const isOff = refusal !== undefined;
  return (
    <SettingsForm form={form} refusal={refusal} className="max-w-[620px] pt-3">
      <TextField
        label="Credits used, in percent"
        hint="Opens one alert per threshold and period. Separate thresholds with commas."
        inputMode="numeric"
        disabled={isOff}
        {...form.input('thresholds')}
      />
      <TextField
        label="Agent failing after"
        hint="Failed runs in a row"
        type="number"
        min={1}
        max={100}
        className="max-w-32"
        disabled={isOff}
        {...form.input('failureStreak')}
      />
      <TextField
        label="Agent silent after"
        hint="Days without a run, for agents that have run before"
        type="number"
        min={1}
        max={90}
        className="max-w-32"
        disabled={isOff}
        {...form.input('silentDays')}
      />
      <fieldset>
        <legend className="field-label">Who gets alert e-mails</legend>
        {rules.team.map((member) => (
          <Checkbox
            key={member.email}
            label={member.fullName || member.email}
            hint={member.email}
            disabled={isOff}
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
            (values.recipients.length === 0
              ? 'No one selected: all admins get the e-mails.'
              : 'Everyone else still sees alerts in the bell.')}
        </p>
      </fieldset>
    </SettingsForm>
  );
}
