import {numberAt, textAt} from '../../contract/grammar/json.ts';

type PullProgress = {
	readonly take: (line: unknown) => void;
	/** Progress for the renter; the text changes only with visible progress. */
	readonly message: () => string;
	/** Bytes of the layers that the engine has named so far. */
	readonly size: () => number;
	/** Error of the engine; undefined without one. */
	readonly problem: () => string | undefined;
};

type Layer = {readonly bytes: number; readonly of: number; readonly isDone: boolean};

/** More layers than any image has, as a bound for a faulty engine. */
const MOST_LAYERS = 1000;
const MEGABYTE = 1e6;

export function createPullProgress(image: string): PullProgress {
	const layers = new Map<string, Layer>();
	let problem: string | undefined;
	let percent = 0;

	function take(line: unknown): void {
		problem = textAt(line, 'errorDetail', 'message') ?? textAt(line, 'error') ?? problem;
		const id = textAt(line, 'id');
		const status = textAt(line, 'status') ?? '';
		const known = id === undefined ? undefined : layers.get(id);
		if (id === undefined || !(known !== undefined || ofLayer.has(status))) return;
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
		return `Pulling image: ${percentOf(bytes / of, done === all.length)}%, ${count}, ${megabytes(bytes)} of ${megabytes(of)} MB`;
	}

	/** Percentage of the known bytes, which never falls when more become known. */
	function percentOf(share: number, isDone: boolean): number {
		const now = isDone ? 100 : Math.min(99, Math.floor(share * 100));
		percent = Math.max(percent, now);
		return percent;
	}

	const size = () => [...layers.values()].reduce((sum, layer) => sum + layer.of, 0);

	return {take, message, size, problem: () => problem};
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
