import { useRef } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import type { Connection } from './queries.ts';

export type MetadataSource = 'address' | 'document';
type Values = { source: MetadataSource; metadataUrl: string; metadataXml: string };
type Props = {
  values: Values;
  set: (change: Partial<Values>) => void;
  errors: Record<string, string>;
  /** A document was pasted before, and is kept when none is pasted now. */
  isKept: boolean;
  /** Why the caller may not change it. */
  refusal: string | undefined;
};

/** Whether the saved metadata was pasted: it has no address. */
export function isPasted({ protocol, metadataUrl }: Connection): boolean {
  return protocol === 'saml' && metadataUrl === null;
}

/** The metadata of a SAML provider: its address, or the document itself, pasted or from a file. */
export function MetadataFields({ values, set, errors, isKept, refusal }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const isOff = refusal !== undefined;
  return (
    <div className="grid gap-3">
      <div>
        <Segmented
          label="Metadata"
          value={values.source}
          onChange={(source) => set({ source })}
          options={[
            { value: 'address', label: 'Metadata URL' },
            { value: 'document', label: 'Paste or file' },
          ]}
        />
      </div>
      {values.source === 'address' ? (
        <TextField
          label="Metadata URL"
          note="required"
          hint="We read the certificate from it now and every day."
          error={errors['metadataUrl']}
          type="url"
          placeholder="https://"
          disabled={isOff}
          value={values.metadataUrl}
          onChange={(text) => set({ metadataUrl: text })}
        />
      ) : (
        <>
          <Field
            label="Metadata document"
            note={isKept ? 'kept when empty' : 'required'}
            hint="The XML of your provider. We cannot read it again: paste the next one before a certificate expires."
            error={errors['metadataXml'] ?? errors['metadataUrl']}
          >
            {(ids) => (
              <TextArea
                {...ids}
                mono
                rows={6}
                spellCheck={false}
                disabled={isOff}
                value={values.metadataXml}
                onChange={(event) => set({ metadataXml: event.target.value })}
              />
            )}
          </Field>
          <div>
            <Button disabledReason={refusal} onClick={() => input.current?.click()}>
              Choose a file
            </Button>
            <input
              ref={input}
              type="file"
              accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
              aria-label="File with the metadata"
              tabIndex={-1}
              className="sr-only"
              onChange={(event) => {
                const [file] = event.target.files ?? [];
                void file?.text().then((text) => set({ metadataXml: text }));
                // The same file can be chosen again.
                event.target.value = '';
              }}
            />
          </div>
        </>
      )}
    </div>
  );
}
