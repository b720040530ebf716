/** Progress of an image's pull, from an engine's lines. */
import {numberAt, textAt} from '../../contract/grammar/json.ts';

export type PullProgress = {
	/** Takes what a line says. */
	readonly take: (line: unknown) => void;
	/** For whoever waits; the same text for as long as nothing has changed that they would see. */
	readonly message: () => string;
	/** Error of the engine; undefined while there is none. */
	readonly problem: () => string | undefined;
};

type Layer = {readonly bytes: number; readonly of: number; readonly isDone: boolean};

/** No image has more, and an engine that says so is wrong. */
const MOST_LAYERS = 1000;
const MEGABYTE = 1e6;

export function createPullProgress(image: string): PullProgress {
	const layers = new Map<string, Layer>();
	let problem: string | undefined;

	function take(line: unknown): void {
		problem = textAt(line, 'errorDetail', 'message') ?? textAt(line, 'error') ?? problem;
		const id = textAt(line, 'id');
		const status = textAt(line, 'status') ?? '';
		const known = id === undefined ? undefined : layers.get(id);
		if (id === undefined || !(known !== undefined || isOfLayer(status))) return;
		if (layers.size < MOST_LAYERS || known !== undefined)
			layers.set(id, after(known, status, line));
	}

	function message(): string {
		const all = [...layers.values()];
		if (all.length === 0) return `Pulling image: ${image}`;
		const done = all.filter(layer => layer.isDone).length;
		const count = `${done} of ${all.length} layers`;
		const bytes = all.reduce((sum, layer) => sum + layer.bytes, 0);
		const of = all.reduce((sum, layer) => sum + layer.of, 0);
		if (of === 0) return `Pulling image: ${count}`;
		return `Pulling image: ${count}, ${megabytes(bytes)} of ${megabytes(of)} MB`;
	}

	return {take, message, problem: () => problem};
}

const ofLayer: ReadonlySet<string> = new Set([
	'Pulling fs layer',
	'Waiting',
	'Downloading',
	'Verifying Checksum',
	'Download complete',
	'Extracting',
	'Pull complete',
	'Already exists',
]);

function isOfLayer(status: string): boolean {
	return ofLayer.has(status);
}

function after(known: Layer | undefined, status: string, line: unknown): Layer {
	const {bytes, of} = known ?? {bytes: 0, of: 0};
	const isDone = status === 'Pull complete' || status === 'Already exists';
	if (isDone || status === 'Download complete') return {bytes: of, of, isDone: isDone || of === 0};
	if (status !== 'Downloading') return {bytes, of, isDone: known?.isDone ?? false};
	return {
		bytes: sizeAt(line, 'current') ?? bytes,
		of: sizeAt(line, 'total') ?? of,
		isDone: false,
	};
}

function sizeAt(line: unknown, name: string): number | undefined {
	const size = numberAt(line, 'progressDetail', name);
	return size === undefined ? undefined : Math.max(0, size);
}

function megabytes(bytes: number): string {
	return (bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0);
}
