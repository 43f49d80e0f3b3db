/** The place of a row among the changes of a stream: by the time of its change, then by its id. */
export type Place = { time: Date; id: string };
