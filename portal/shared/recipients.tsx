import { useUser } from '../app/session.ts';
import type { Workflow } from '../queries/agents.ts';
import { Button } from '../ui/controls/button.tsx';
import { Note } from '../ui/feedback/note.tsx';
import { usePreference } from '../ui/hooks/use-preference.ts';
import { formatPhone, joinWords, plural } from '../ui/text/format.ts';
import type { JsonObject } from './edit-input-dialog.tsx';

type Inputs = NonNullable<Workflow['inputs']>;
type Props = {
  inputs: Inputs;
  input: JsonObject;
  /** The input before it was edited, whose number is not the reader's. */
  given: JsonObject;
  onChange: (part: JsonObject) => void;
  /** Why a run of now texts no one, where that is certain. */
  noText?: string | undefined;
};

/** Who gets a message when a run starts with this input, and the way to have it sent to oneself. Empty for an agent that writes to no one. */
export function Recipients({ inputs, input, given, onChange, noText }: Props) {
  const { id, email } = useUser();
  const [ownPhone, setOwnPhone] = usePreference<string>(`own-phone.${id}`, '');
  const asked = inputs.filter(({ writtenTo }) => writtenTo !== null);
  if (asked.length === 0) return null;
  const people = recipientsOf(noText === undefined ? inputs : inputs.filter(({ writtenTo }) => writtenTo !== 'text'), input);
  const own = Object.fromEntries(
    asked.flatMap(({ key, writtenTo }) => (writtenTo === 'mail' ? [[key, email]] : ownPhone ? [[key, ownPhone]] : [])),
  );
  const phone = asked.find(({ writtenTo }) => writtenTo === 'text');
  const isTyped = (key: string): boolean => typeof input[key] === 'string' && input[key] !== '' && input[key] !== given[key];
  const isOwn = Object.entries(own).every(([key, value]) => input[key] === value);
  return (
    <div className="mt-4">
      <Note tone={people.length === 0 && noText === undefined ? 'live' : 'warn'}>
        {noText === undefined ? null : (
          <>
            <b>No text will be sent:</b> {noText}.{' '}
          </>
        )}
        {people.length === 0 && noText !== undefined ? null : people.length === 0 ? (
          'No one gets a message: the fields for phone and e-mail are empty.'
        ) : (
          <>
            <b>This can send {plural(people.length, 'message')}:</b> {joinWords(people)}.
          </>
        )}
        <div className="mt-2 flex flex-wrap gap-2">
          {Object.keys(own).length > 0 && !isOwn ? (
            <Button size="sm" onClick={() => onChange(own)}>
              Send to me instead
            </Button>
          ) : null}
          {phone && isTyped(phone.key) && input[phone.key] !== ownPhone ? (
            <Button size="sm" kind="quiet" onClick={() => setOwnPhone(String(input[phone.key]))}>
              This is my phone
            </Button>
          ) : null}
        </div>
      </Note>
    </div>
  );
}

/** What a run with this input sends to whom: "a text to +1 312 555 0121". */
export function recipientsOf(inputs: Inputs, input: JsonObject): string[] {
  return inputs.flatMap(({ key, writtenTo }) => {
    const value = input[key];
    if (writtenTo === null || typeof value !== 'string' || value.trim() === '') return [];
    return [writtenTo === 'text' ? `a text to ${formatPhone(value)}` : `an e-mail to ${value}`];
  });
}
