import { DEFAULT_COLOUR, deriveBrand } from '@partner-portal/core/tenancy/brand.ts';
import type { FormState } from '../../shared/forms/use-form.ts';
import { ColourField, isColour } from '../../ui/forms/colour-field.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import type { Draft } from './draft.ts';
import { FormSection } from './form-section.tsx';

type Props = { form: FormState<Draft>; isOff: boolean; agencyColour: string | null };

/** What visitors see of the chatbot, and how it speaks. */
export function IdentityFields({ form, isOff, agencyColour }: Props) {
  const { brandColor, persona, greeting } = form.values;
  return (
    <FormSection lead="Visitors see the name, the greeting and the colour before they write.">
      <TextField label="Name" note="required" required maxLength={60} disabled={isOff} {...form.input('name')} />
      <Field label="Greeting" note={`${formatNumber(greeting.length)} of 500`} error={form.errors['greeting']}>
        {(ids) => (
          <TextArea
            {...ids}
            data-field="greeting"
            rows={3}
            required
            maxLength={500}
            disabled={isOff}
            value={greeting}
            onChange={(event) => form.set({ greeting: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Persona"
        note={`${formatNumber(persona.length)} of 4,000`}
        hint="How it speaks: tone, language, what to mention, what to leave out. Its facts come from the knowledge below only."
        error={form.errors['persona']}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={4}
            maxLength={4000}
            disabled={isOff}
            placeholder="Friendly and brief. Address visitors informally."
            value={persona}
            onChange={(event) => form.set({ persona: event.target.value })}
          />
        )}
      </Field>
      <ColourField
        label="Colour"
        note={brandColor ? undefined : 'your agency’s colour'}
        hint={colourHint(brandColor)}
        fallback={agencyColour ?? DEFAULT_COLOUR}
        disabled={isOff}
        {...form.field('brandColor')}
      />
      <TextField
        label="Link to the privacy notice"
        type="url"
        placeholder="https://"
        hint="Shown at the foot of the chat. The widget sets no cookies."
        maxLength={2048}
        disabled={isOff}
        {...form.input('privacyUrl')}
      />
    </FormSection>
  );
}

function colourHint(colour: string): string {
  if (!colour) return 'Empty: the colour of your agency. We derive readable shades for the light and dark theme.';
  if (!isColour(colour)) return 'Six digits after a #, such as #1f4e8c.';
  return deriveBrand(colour).textMoved
    ? 'Hard to read as text, so words get a different shade of it. Areas keep your colour where it can be seen.'
    : 'Readable as text and as an area in the light and dark theme.';
}
