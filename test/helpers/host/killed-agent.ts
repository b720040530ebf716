/** A program that starts an instance as an agent does, says so, and waits to be killed. */
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {work as workSchema} from '../../../source/contract/nouns/host-work.ts';
import {openLocalWorld} from './local-host.ts';

const work = workSchema.parse(JSON.parse(await text(process.stdin)));
const shared = {gpus: 0, processors: 1, memoryBytes: 256 * 1024 * 1024};
const world = await openLocalWorld({kind: 'sandbox', shared, folder: process.argv[2] ?? ''});
await world.runtime.start(work);
process.stdout.write('started\n');
setInterval(() => undefined, 60_000);
