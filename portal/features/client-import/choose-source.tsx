import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import clsx from 'clsx';
import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Field, TextArea } from '../../ui/forms/field.tsx';
import { formatBytes, formatNumber } from '../../ui/text/format.ts';
import type { Source } from './source.ts';

type Props = {
  problem: string | undefined;
  pasted: string;
  onPaste: (text: string) => void;
  onSource: (source: Source) => void;
  onProblem: (problem: string) => void;
};

/** A file to drop or choose, or a table to paste. */
export function ChooseSource({ problem, pasted, onPaste, onSource, onProblem }: Props) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (file.size > LIMITS.importBytesMax) return onProblem(`The file is larger than ${formatBytes(LIMITS.importBytesMax)}. Split it.`);
    onSource({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <div className="grid max-w-190 grid-cols-1 gap-5">
      <div
        className={clsx(
          'grid justify-items-center gap-2 rounded-lg border border-dashed px-4 py-8 text-center',
          isOver ? 'border-accent-mark bg-accent-wash' : 'border-control',
        )}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Button kind="primary" icon={<Upload aria-hidden />} onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <p className="text-ink-2">or drop it here</p>
        <p className="text-xs text-ink-3">
          CSV, up to {formatNumber(LIMITS.importRowsMax)} rows and {formatBytes(LIMITS.importBytesMax)}. Any separator and encoding, with
          headings in the first row or without.
        </p>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
          aria-label="File of clients"
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            // The same file can be chosen again.
            event.target.value = '';
          }}
        />
      </div>
      <Field label="Or paste a table" hint="Copy the rows from your spreadsheet, best with their headings." error={problem}>
        {(ids) => (
          <TextArea
            {...ids}
            mono
            rows={5}
            value={pasted}
            onChange={(event) => onPaste(event.target.value)}
            placeholder={'Name\tE-mail\tPhone'}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          inactive={pasted.trim() === ''}
          onClick={() => {
            const bytes = new TextEncoder().encode(pasted);
            if (bytes.length > LIMITS.importBytesMax)
              onProblem(`The table is larger than ${formatBytes(LIMITS.importBytesMax)}. Split it.`);
            else onSource({ name: 'Pasted table', bytes });
          }}
        >
          Use the pasted table
        </Button>
        <ExportButton name="clients-template" read={() => api.getClientImportTemplate()} word="Download a template" />
      </div>
    </div>
  );
}
