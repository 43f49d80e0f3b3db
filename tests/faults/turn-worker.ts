import { openTurnProcess, type TurnTask } from '../harness/turn-process.ts';

/** Takes over one open turn as a child process: what the tests of turns kill. */
process.once('message', (task: TurnTask) => {
  const { talks } = openTurnProcess(task);
  void (async () => {
    while ((await talks.takeOver()) === 0);
    process.send?.('taken');
  })();
});
process.on('disconnect', () => process.exit(0));
