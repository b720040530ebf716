import real from 'node:process';
import {current} from '../../world/world.ts';

const missing = () => Object.assign(new Error('kill ESRCH'), {code: 'ESRCH', syscall: 'kill'});

/** The process of a world in place of the one that runs all of them. */
// oxlint-disable-next-line import/no-default-export -- as the module that it stands for
export default {
	...real,
	platform: real.platform,
	get pid() {
		return current()?.pid ?? 1;
	},
	env: {} as Readonly<Record<string, string | undefined>>,
	memoryUsage: Object.assign(() => ({rss: 5e7}), {rss: () => 5e7}),
	getuid: () => real.getuid?.() ?? 0,
	kill(pid: number): true {
		const found = current()?.machine.processes.get(pid);
		if (found?.isAlive !== true) throw missing();
		return true;
	},
	on: () => undefined,
	once: () => undefined,
	off: () => undefined,
};
