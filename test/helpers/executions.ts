import {Session} from 'node:inspector/promises';

/**
 * Counts how often the statements of modules run, as the engine itself counts them. Only functions that
 * are first called after this are counted whole: a test imports what it counts behind this.
 */
export async function openExecutions() {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: true});
	return {
		/** The statements of a module that something runs. */
		async during(module: string, run: () => void): Promise<number> {
			await session.post('Profiler.takePreciseCoverage');
			run();
			const {result} = await session.post('Profiler.takePreciseCoverage');
			return result
				.filter(({url}) => url.endsWith(module))
				.flatMap(({functions}) => functions.flatMap(({ranges}) => ranges))
				.reduce((sum, {count}) => sum + count, 0);
		},
		[Symbol.dispose]: () => session.disconnect(),
	};
}
