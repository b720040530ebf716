import {expect, test, vi} from 'vitest';
import {systemScheduler} from '../../../source/host/base/scheduler.ts';

test('the time of a host goes on evenly, whatever the clock of its machine is set to', () => {
	const before = systemScheduler.now();
	vi.useFakeTimers({toFake: ['Date']});
	try {
		expect(Math.abs(before - Date.now() / 1000)).toBeLessThan(60);
		vi.setSystemTime(Date.now() - 3_600_000);
		const after = systemScheduler.now();
		expect(after).toBeGreaterThanOrEqual(before);
		vi.setSystemTime(Date.now() + 7_200_000);
		expect(systemScheduler.now() - after).toBeLessThan(60);
	} finally {
		vi.useRealTimers();
	}
});
