/** What a run of tests leaves for CI to read: how it ended, and which files were under way when it did not. */
import {appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';

export type Failure = {
	/** Path from the project's root; undefined where the failure belongs to no file. */
	readonly file: string | undefined;
	/** Name of the vitest project it ran in. */
	readonly project: string;
	readonly test: string;
	readonly text: string;
};

export type RunResult = {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	readonly failures: readonly Failure[];
};

export type FileStep = {
	readonly file: string;
	readonly project: string;
	readonly isEnd: boolean;
	/** Milliseconds since 1970. */
	readonly at: number;
};

/** Folder that CI asks for results in; undefined in a developer's own run. */
export const resultsFolder = process.env['TEST_RESULTS'];

const at = (folder: string, name: string) => join(folder, name);

export function writeResult(folder: string, result: RunResult): void {
	mkdirSync(folder, {recursive: true});
	writeFileSync(at(folder, 'result.json'), JSON.stringify(result));
}

/** The result of a run, undefined if it did not end. */
export function readResult(folder: string): RunResult | undefined {
	const path = at(folder, 'result.json');
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeResult` writes it
	return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RunResult) : undefined;
}

/** Adds a failure that the runner itself knows nothing of, found after its end. */
export function addFailure(folder: string, failure: Failure): void {
	const result = readResult(folder) ?? {passed: 0, failed: 0, skipped: 0, failures: []};
	writeResult(folder, {
		...result,
		failed: result.failed + 1,
		failures: [...result.failures, failure],
	});
}

/** Notes that a file began or ended. */
export function noteStep(folder: string, step: FileStep): void {
	mkdirSync(folder, {recursive: true});
	appendFileSync(at(folder, 'files.jsonl'), `${JSON.stringify(step)}\n`);
}

/** Files that began and have not ended, the earliest first. */
export function readUnended(folder: string): readonly FileStep[] {
	const path = at(folder, 'files.jsonl');
	if (!existsSync(path)) return [];
	const underWay = new Map<string, FileStep>();
	for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `noteStep` writes it
		const step = JSON.parse(line) as FileStep;
		const key = `${step.project} ${step.file}`;
		if (step.isEnd) underWay.delete(key);
		else underWay.set(key, step);
	}
	return [...underWay.values()];
}
