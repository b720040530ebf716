import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Work} from '../../contract/nouns/host-work.ts';
import {readRecord} from '../instance/record.ts';
import {siteIn} from '../instance/site.ts';
import type {LocalInside} from '../inside/inside.ts';
import {isSandbox, type MakeInside} from '../sandbox/choose-inside.ts';
import {makeFolders, foldersShownInside} from '../sandbox/folders.ts';
import {instanceEnv} from '../sandbox/instance-env.ts';

export type LocalSite = {
	readonly own: string;
	/** Address shown to the instance. */
	readonly address: string;
	readonly makeInside: MakeInside;
};

/** The inside of an instance that has run before. */
export async function insideAgain(work: Work, site: LocalSite): Promise<LocalInside> {
	const record = await readRecord(siteIn(site.own).record);
	if (record === undefined) throw new Error('it has no files here');
	return openLocalInside(work, site, record.apiKey);
}

/** The inside of an instance, with its folders, made if missing. */
export async function openLocalInside(
	work: Work,
	{own, address, makeInside}: LocalSite,
	apiKey: string | undefined,
): Promise<LocalInside> {
	const site = siteIn(own);
	const isNew = !existsSync(join(own, 'workspace'));
	await makeFolders(site, undefined);
	const {dataFolder, ...folders} = await foldersShownInside(site, isSandbox(makeInside));
	const inside = makeInside({
		...folders,
		hostName: `instance-${work.instance_id}`,
		env: instanceEnv({...work, api_key: apiKey}, address, {dataFolder}),
		mounts: [],
	});
	if (isNew) await writeFirstFiles(inside.outside(dataFolder) ?? '');
	return inside;
}

const firstFiles: Readonly<Record<string, string>> = {
	'README.md': `# A practice instance

This folder is on your own machine, in the instance's folder. What you put here stays until the
instance is destroyed. Its GPUs do not exist: train.py writes what a training would write.
`,
	'train.py': `import time

STEPS = 600
for step in range(1, STEPS + 1):
    print(f"step {step}/{STEPS} loss {4 / step ** 0.3:.4f}", flush=True)
    time.sleep(1)
`,
};

async function writeFirstFiles(folder: string): Promise<void> {
	for (const [name, text] of Object.entries(firstFiles)) {
		await writeFile(join(folder, name), text, {flag: 'wx', mode: 0o600});
	}
}
