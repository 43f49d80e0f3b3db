import { ApiError } from '@partner-portal/contract/client.ts';
import type { Problem } from '@partner-portal/contract/errors.ts';
import { callWithSession } from './api.ts';
import { saveBlob } from './download.ts';
import { fromService } from './errors.ts';
import { getSession } from './session.ts';

/** From this size a file is written to disk as it arrives, where the browser can: below, asking for a folder costs more than the memory. */
const TO_DISK_BYTES = 200_000_000;

type File = { path: string; filename: string; sizeBytes: number | null };

/**
 * Saves a file with the session's header, so that its address carries no token. `onPercent` follows the bytes that have arrived. Resolves
 * with false when the user closes the browser's own dialog.
 */
export async function saveFile({ path, filename, sizeBytes }: File, onPercent: (percent: number) => void): Promise<boolean> {
  // Asked first: the browser shows its dialog only right after a click.
  const target = (sizeBytes ?? 0) >= TO_DISK_BYTES ? await pickTarget(filename) : undefined;
  if (target === 'cancelled') return false;
  const response = await callWithSession(path, {
    method: 'GET',
    headers: { authorization: `Bearer ${getSession()?.accessToken ?? ''}` },
  });
  if (!response.ok || !response.body) throw await toError(response);
  const bytes = response.body.pipeThrough(countBytes(sizeBytes, onPercent));
  if (target) await fromService(bytes.pipeTo(await target.createWritable()));
  else saveBlob(await fromService(new Response(bytes, { headers: { 'content-type': 'application/zip' } }).blob()), filename);
  return true;
}

type Target = { createWritable: () => Promise<WritableStream<Uint8Array>> };
type Picker = { showSaveFilePicker?: (options: { suggestedName: string }) => Promise<Target> };

async function pickTarget(filename: string): Promise<Target | 'cancelled' | undefined> {
  const { showSaveFilePicker } = window as Picker; // not in every browser, nor in its types
  try {
    return await showSaveFilePicker?.call(window, { suggestedName: filename });
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? 'cancelled' : undefined;
  }
}

function countBytes(sizeBytes: number | null, onPercent: (percent: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let arrived = 0;
  let shown = -1;
  return new TransformStream({
    transform(chunk, controller) {
      arrived += chunk.byteLength;
      const percent = sizeBytes ? Math.min(100, Math.floor((arrived / sizeBytes) * 100)) : 0;
      if (percent !== shown) onPercent((shown = percent));
      controller.enqueue(chunk);
    },
  });
}

async function toError(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined; // the error shape is the server's promise
  return new ApiError(response.status, problem, undefined);
}
