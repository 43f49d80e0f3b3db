import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useMessages } from '../../app/messages.ts';
import { useState } from 'react';
import type { FormState } from '../../shared/forms/use-form.ts';
import { useMailed } from '../../shared/mailed.ts';
import { ChipsField } from '../../ui/forms/chips-field.tsx';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import { type Draft, withOrigins, withPhrases } from './draft.ts';
import { FormSection } from './form-section.tsx';

type Props = { form: FormState<Draft>; isOff: boolean };

/** When a person takes over, and who is asked. */
export function HandoverFields({ form, isOff }: Props) {
  const { t } = useMessages();
  const mailed = useMailed();
  const { handoffPhrases, handoffWhenUnsure } = form.values;
  const [typed, setTyped] = useState('');
  return (
    <FormSection
      title="Hand-over to a person"
      lead="A visitor who asks for a person always gets one. The conversation then waits in the inbox, and the chatbot is silent in it."
    >
      <TextField
        label="E-mail for hand-overs"
        type="email"
        hint={`${mailed('Gets an e-mail with a link to the conversation.', t('common.noMail'))} Your team and the client’s users are notified in any case.`}
        maxLength={254}
        disabled={isOff}
        {...form.input('handoffEmail')}
      />
      <ChipsField
        label="Hand over when a visitor writes"
        hint="A message that contains one of these goes to a person at once. Press Enter to add one."
        placeholder="complaint"
        items={handoffPhrases}
        typed={typed}
        onChange={(items, text) => {
          setTyped(text);
          form.set({ handoffPhrases: items });
        }}
        add={withPhrases}
        explainBad={(bad) => bad}
        error={form.errors['handoffPhrases']}
        disabled={isOff}
      />
      <Checkbox
        label="Hand over when it does not know the answer"
        hint="Otherwise it says that it does not know, and offers a person."
        disabled={isOff}
        checked={handoffWhenUnsure}
        onChange={(event) => form.set({ handoffWhenUnsure: event.target.checked })}
      />
      <div className="max-w-55">
        <TextField
          label="Remind after"
          note="minutes"
          type="number"
          min={LIMITS.reminderMinutesMin}
          max={LIMITS.reminderMinutesMax}
          required
          hint="One reminder if no one has answered by then"
          disabled={isOff}
          {...form.input('reminderMinutes')}
        />
      </div>
    </FormSection>
  );
}

/** The websites that may show the chatbot. */
export function SiteFields({ form, isOff }: Props) {
  const [typed, setTyped] = useState('');
  return (
    <FormSection lead="Browsers show the chatbot on these sites only. Add the address with and without www if both are in use.">
      <ChipsField
        label="Allowed sites"
        hint="Paste the address of any page; the path is dropped. Press Enter to add one."
        placeholder="https://www.example.com"
        items={form.values.allowedOrigins}
        typed={typed}
        onChange={(items, text) => {
          setTyped(text);
          form.set({ allowedOrigins: items });
        }}
        add={withOrigins}
        explainBad={(bad) => `${bad} is not a web address such as https://www.example.com.`}
        spaceAdds
        fieldName="allowedOrigins"
        error={form.errors['allowedOrigins']}
        disabled={isOff}
      />
    </FormSection>
  );
}
