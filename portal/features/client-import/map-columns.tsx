import {
  CLIENT_IMPORT_FIELDS,
  type ClientImportField,
  TABLE_DELIMITERS,
  TABLE_ENCODINGS,
  type TableDelimiter,
  type TableEncoding,
} from '@partner-portal/contract/vocabulary.ts';
import { FIELD_LABELS } from '@partner-portal/core/client-import/columns.ts';
import { useId } from 'react';
import { Note } from '../../ui/feedback/note.tsx';
import { Checkbox, Field } from '../../ui/forms/field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { plural } from '../../ui/text/format.ts';
import { DELIMITERS, ENCODINGS } from './labels.ts';
import type { Preview, Reading } from './source.ts';
import '../../ui/layout/panel.css';
import './map-columns.css';

type Fields = readonly (ClientImportField | null)[];
type Props = {
  preview: Preview;
  fields: Fields;
  onFields: (fields: Fields) => void;
  onReading: (reading: Reading) => void;
};

const IGNORED = 'ignored';

/** The columns of the file with their first cells, and the field that each one fills. */
export function MapColumns({ preview, fields, onFields, onReading }: Props) {
  const id = useId();
  const ignored = fields.filter((field) => field === null).length;
  const reading = { encoding: preview.encoding, delimiter: preview.delimiter, hasHeader: preview.hasHeader };
  const pick = (at: number, value: string): void =>
    // A field is filled by one column: another one that had it lets go of it.
    onFields(
      fields.map((field, n) => (n === at ? (value === IGNORED ? null : (value as ClientImportField)) : field === value ? null : field)),
    ); // an option's value
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap gap-x-4 gap-y-3">
        <Field label="Separator" className="w-44">
          {(ids) => (
            <Select
              {...ids}
              label="Separator"
              value={preview.delimiter}
              options={TABLE_DELIMITERS.map((value) => ({ value, label: DELIMITERS[value] }))}
              onChange={(value) => onReading({ ...reading, delimiter: value as TableDelimiter })} // an option's value
            />
          )}
        </Field>
        <Field label="Encoding" className="w-44">
          {(ids) => (
            <Select
              {...ids}
              label="Encoding"
              value={preview.encoding}
              options={TABLE_ENCODINGS.map((value) => ({ value, label: ENCODINGS[value] }))}
              onChange={(value) => onReading({ hasHeader: preview.hasHeader, encoding: value as TableEncoding })} // an option's value
            />
          )}
        </Field>
      </div>
      <Checkbox
        label="The first row holds headings"
        hint={preview.hasHeader ? undefined : 'Every row is a client. Choose what each column holds.'}
        checked={preview.hasHeader}
        onChange={() => onReading({ ...reading, hasHeader: !preview.hasHeader })}
      />
      {fields.includes('name') ? null : (
        <Note tone="warn">
          <b>Choose the column that holds the name.</b> Every client needs one.
        </Note>
      )}
      <div className="panel map-columns" role="region" aria-label="Columns of the file" tabIndex={0}>
        <table aria-label="First rows of the file">
          <thead>
            <tr>
              {preview.header.map((heading, at) => (
                <th key={at} scope="col" data-ignored={fields[at] === null ? '' : undefined}>
                  <label className="map-columns-heading" htmlFor={`${id}-${at}`} title={heading}>
                    <span className="sr-only">{heading.trim() ? 'Field of the column ' : 'Field of '}</span>
                    {heading.trim() || `Column ${at + 1}`}
                  </label>
                  <Select
                    id={`${id}-${at}`}
                    label={heading.trim() ? `Field of the column ${heading.trim()}` : `Field of Column ${at + 1}`}
                    value={fields[at] ?? IGNORED}
                    options={[
                      { value: IGNORED, label: 'Ignored' },
                      ...CLIENT_IMPORT_FIELDS.map((value) => ({ value, label: FIELD_LABELS[value] })),
                    ]}
                    onChange={(value) => pick(at, value)}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.map((cells, n) => (
              <tr key={n}>
                {preview.header.map((_, at) => (
                  <td key={at} data-ignored={fields[at] === null ? '' : undefined} title={cells[at]}>
                    {cells[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-ink-3">
        The first rows of the file. {ignored > 0 ? `${plural(ignored, 'column')} will be ignored. ` : ''}A blank cell changes nothing.
      </p>
    </div>
  );
}
