import '../../ui/forms/field.css';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { KNOWLEDGE_TYPES } from '@partner-portal/core/knowledge/knowledge-types.ts';
import { FileText, Trash2, Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import clsx from 'clsx';
import type { KnowledgeDocument } from '../../queries/chatbot.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { READ_ONLY } from '../../ui/controls/read-only.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import { formatBytes, joinWords, plural } from '../../ui/text/format.ts';
import type { Uploads } from './use-uploads.ts';

type Props = {
  files: readonly KnowledgeDocument[];
  uploads: Uploads;
  refusal: string | undefined;
  onRemove: (file: KnowledgeDocument) => void;
};

const ACCEPTED = Object.entries(KNOWLEDGE_TYPES)
  .flatMap(([type, { endings }]) => [type, ...endings])
  .join(',');
const NAMES = Object.values(KNOWLEDGE_TYPES).map(({ name }) => name);

/** Uploaded files with how their reading went, and a place to drop more. */
export function KnowledgeFiles({ files, uploads, refusal, onRemove }: Props) {
  return (
    <div>
      <h3 className="field-label">
        Files
        <span className="field-note">
          {files.length} of {LIMITS.knowledgeFilesMax}
        </span>
      </h3>
      {files.length > 0 ? (
        <ul className="mb-3 border-t border-line">
          {files.map((file) => (
            <li key={file.id} className="flex items-start gap-3 border-b border-line-soft py-2">
              <FileText className="icon mt-0.5 flex-none text-ink-3" aria-hidden />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium" title={file.title}>
                  {file.title}
                </span>
                <FileState file={file} />
              </span>
              <IconButton size="sm" label={`Remove ${file.title}`} disabledReason={refusal} onClick={() => onRemove(file)}>
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      {refusal === READ_ONLY ? null : <DropZone uploads={uploads} refusal={refusal} isFull={files.length >= LIMITS.knowledgeFilesMax} />}
      {uploads.problems.map(({ name, problem }) => (
        <p key={name} role="alert" className="mt-2 flex items-start gap-2 text-bad">
          <Mark kind="bad" className="mt-0.75 flex-none" />
          <span className="min-w-0">
            <b className="font-medium">{name}</b>: {problem}
          </span>
        </p>
      ))}
    </div>
  );
}

function FileState({ file }: { file: KnowledgeDocument }) {
  const size = formatBytes(file.sizeBytes);
  if (file.status === 'failed') {
    return (
      <span className="flex items-start gap-1.5 text-xs text-bad">
        <Mark kind="bad" size={12} className="mt-0.5 flex-none" />
        <span>{file.problem ?? 'We could not read any text in it.'}</span>
      </span>
    );
  }
  return (
    <span className="flex items-center gap-1.5 text-xs text-ink-3" role="status">
      <Mark kind={file.status === 'pending' ? 'run' : 'ok'} size={12} />
      {file.status === 'pending' ? `Being read, ${size}` : `${plural(file.passages, 'passage')}, ${size}`}
    </span>
  );
}

function DropZone({ uploads, refusal, isFull }: { uploads: Uploads; refusal: string | undefined; isFull: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const reason = refusal ?? (isFull ? `The limit is ${LIMITS.knowledgeFilesMax} files. Remove one first.` : undefined);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    if (!reason) uploads.add([...event.dataTransfer.files]);
  };
  return (
    <div
      className={clsx(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-dashed px-3.5 py-3',
        isOver && !reason ? 'border-accent-mark bg-accent-wash' : 'border-control',
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Button
        icon={<Upload aria-hidden />}
        disabledReason={reason}
        busy={uploads.current !== undefined && 'Uploading'}
        onClick={() => input.current?.click()}
      >
        Choose files
      </Button>
      <span className="min-w-0 flex-1 basis-50 text-xs text-ink-3" role="status">
        {uploads.current === undefined
          ? `or drop them here. ${joinWords(NAMES)}, up to ${formatBytes(LIMITS.knowledgeFileBytesMax)} each.`
          : `Uploading ${uploads.current}`}
      </span>
      <input
        ref={input}
        type="file"
        multiple
        accept={ACCEPTED}
        aria-label="Files for the chatbot"
        tabIndex={-1}
        disabled={reason !== undefined}
        className="sr-only"
        onChange={(event) => {
          uploads.add([...(event.target.files ?? [])]);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
    </div>
  );
}
