/** Choice of the engine that has what the folder of a host keeps, among those of this machine. */
import {existsSync} from 'node:fs';
import {readFile, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {replaceFile} from '../../client/files/files.ts';
import {parseJson, textAt} from '../../contract/grammar/json.ts';
import {readRecord} from '../instance/record.ts';
import {hasRecordAlone, listInstanceIds, siteOf} from '../instance/site.ts';
import {listContainers, listNetworks, listVolumes} from './container-calls.ts';
import {findEngines, type Engine, type Environment} from './engine.ts';
import {ownLabel} from './setup.ts';

type EngineChoice = {
	readonly engine: Engine | undefined;
	/** Names of engines that answer and have nothing of what the folder keeps. */
	readonly strangers: readonly string[];
};

/** File of a host's folder that says which engine it uses. */
export const engineFile = (folder: string) => join(folder, 'engine.json');

type Candidate = {
	readonly engine: Engine;
	readonly id: string | undefined;
	readonly has: boolean;
	/** Reason why nobody knows what it has. */
	readonly error?: unknown;
};

/**
 * Chooses the engine that has something of the folder, first of all the one of the last start. Without
 * anything in it, that one, or any in a folder that has none.
 */
export async function chooseEngine(
	folder: string,
	environment?: Environment,
): Promise<EngineChoice> {
	const engines = await findEngines(environment);
	try {
		const candidates: Candidate[] = [];
		for (const engine of engines) candidates.push(await judge(engine, folder));
		const chosen = await choose(folder, candidates);
		const unknown = candidates.find(({error}) => error !== undefined);
		if (chosen?.has !== true && unknown !== undefined) throw unknown.error;
		if (chosen?.id !== undefined) {
			const {id, engine} = chosen;
			await replaceFile(engineFile(folder), `${JSON.stringify({id, name: engine.name})}\n`);
		}
		await closeAll(engines.filter(engine => engine !== chosen?.engine));
		const strangers = chosen === undefined ? engines.map(({name}) => name) : [];
		return {engine: chosen?.engine, strangers};
	} catch (error) {
		await closeAll(engines);
		throw error;
	}
}

async function choose(
	folder: string,
	candidates: readonly Candidate[],
): Promise<Candidate | undefined> {
	const noted = textAt(parseJson(await readFile(engineFile(folder), 'utf8').catch(() => '')), 'id');
	const known = candidates.find(({id}) => id !== undefined && id === noted);
	if (known?.has === true) return known;
	const having = candidates.find(({has}) => has);
	if (having !== undefined) return having;
	// An engine whose disk is not mounted, or that was set up anew, has nothing.
	if (await hasBegun(folder)) return undefined;
	return noted === undefined ? candidates[0] : known;
}

async function judge(engine: Engine, folder: string): Promise<Candidate> {
	try {
		return {engine, id: await idOf(engine), has: await hasOwn(engine, folder)};
	} catch (error) {
		return {engine, id: undefined, has: false, error};
	}
}

async function hasOwn(engine: Engine, folder: string): Promise<boolean> {
	if (!existsSync(folder)) return false;
	const label = ownLabel({folder: await realpath(folder)});
	for (const list of [listContainers, listVolumes, listNetworks]) {
		if ((await list(engine, label)).length > 0) return true;
	}
	return false;
}

/** Identity of an engine. Podman makes its ID up for each answer, and is known by its storage. */
async function idOf(engine: Engine): Promise<string | undefined> {
	const about = await engine.ask({method: 'GET', path: '/info'});
	const id = textAt(about, engine.isPodman ? 'DockerRootDir' : 'ID');
	return id === undefined || id === ''
		? undefined
		: `${engine.isPodman ? 'Podman' : 'Docker'} ${id}`;
}

/** True if an instance of the folder has had a container, which its engine then has. */
async function hasBegun(folder: string): Promise<boolean> {
	for (const id of await listInstanceIds(folder)) {
		const site = siteOf(folder, id);
		const hadServer = ((await readRecord(site.record))?.hostKey ?? '') !== '';
		if (hadServer && !(await hasRecordAlone(site))) return true;
	}
	return false;
}

async function closeAll(engines: readonly Engine[]): Promise<void> {
	await Promise.all(engines.map(async engine => engine.close()));
}
