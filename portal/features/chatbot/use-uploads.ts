import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import { explain, fieldErrors } from '../../app/errors.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { formatBytes } from '../../ui/text/format.ts';

export type Uploads = {
  /** Name of the file that is being sent. */
  current: string | undefined;
  problems: readonly { name: string; problem: string }[];
  add: (files: readonly File[]) => void;
};

/** Sends files one after the other, and keeps why one was refused until the next are chosen. */
export function useUploads(clientId: string): Uploads {
  const [current, setCurrent] = useState<string>();
  const [problems, setProblems] = useState<Uploads['problems']>([]);
  const waiting = useRef<File[]>([]);
  const isRunning = useRef(false);
  const run = async (): Promise<void> => {
    isRunning.current = true;
    for (let file = waiting.current.shift(); file; file = waiting.current.shift()) {
      const { name } = file;
      setCurrent(name);
      const problem = await send(clientId, file);
      if (problem) setProblems((before) => [...before.filter((one) => one.name !== name), { name, problem }]);
    }
    isRunning.current = false;
    setCurrent(undefined);
  };
  const add = (files: readonly File[]): void => {
    waiting.current.push(...files);
    if (isRunning.current || files.length === 0) return;
    setProblems([]);
    void run();
  };
  return { current, problems, add };
}

/** Returns why the file was refused. */
async function send(clientId: string, file: File): Promise<string | undefined> {
  if (file.size > LIMITS.knowledgeFileBytesMax) {
    return `The file is ${formatBytes(file.size)}; the limit is ${formatBytes(LIMITS.knowledgeFileBytesMax)}.`;
  }
  const body = new FormData();
  body.set('clientId', clientId);
  body.set('file', file);
  try {
    await api.uploadKnowledge({ body });
    await refreshAfter('knowledgeChanged', clientId);
    return undefined;
  } catch (error) {
    const { title, detail } = explain(error);
    return Object.values(fieldErrors(error))[0] ?? [title, detail].filter(Boolean).join(' ');
  }
}
