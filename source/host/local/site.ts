/** Where all that there is of an instance lies. */
import {mkdir, realpath} from 'node:fs/promises';
import {join} from 'node:path';

export type Site = {
	/** All of it lies in here. */
	readonly own: string;
	/** What it sees as its home, as the place for its data, and as what is not kept for long. */
	readonly home: string;
	readonly workspace: string;
	readonly temporary: string;
	readonly record: string;
	/** What its workload writes, and what the host notes about it. */
	readonly log: string;
	readonly hostLog: string;
	/** The code with which its workload ended. */
	readonly code: string;
};

export function siteOf(folder: string, instanceId: number): Site {
	const own = join(folder, 'instances', String(instanceId));
	return {
		own,
		home: join(own, 'home'),
		workspace: join(own, 'workspace'),
		temporary: join(own, 'tmp'),
		record: join(own, 'instance.json'),
		log: join(own, 'out.log'),
		hostLog: join(own, 'host.log'),
		code: join(own, 'code'),
	};
}

/** Makes the folders that are not there, and answers them without links on the way. */
export async function makeSite(folder: string, instanceId: number): Promise<Site> {
	const {home, workspace, temporary, own} = siteOf(folder, instanceId);
	for (const each of [own, home, workspace, temporary]) {
		await mkdir(each, {recursive: true, mode: 0o700});
	}
	return siteOf(await realpath(folder), instanceId);
}
