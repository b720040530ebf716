/** What the service stopped itself costs its disk, can be started, and is destroyed by nobody unasked. */
import {expect, test} from 'vitest';
import {refusal} from '../../../source/console/screens/instances/actions.ts';
import {spendingsOfStarts} from '../../../source/renter/actions/start-limits.ts';
import {bootOf} from '../../../source/renter/actions/stuck-boots.ts';
import {byTrouble} from '../../../source/renter/fleet/fleet-state.ts';
import {isInState} from '../../../source/renter/fleet/query-fields.ts';
import {burnOf} from '../../../source/renter/instance/burn.ts';
import {isProblem, isSweepable} from '../../../source/renter/instance/condition.ts';
import {fleetRow} from '../../helpers/fleet/fleet-rows.ts';

const failed = fleetRow({
	id: 8,
	actual_status: 'exited',
	intended_status: 'stopped',
	cur_state: 'stopped',
	status_msg: 'Error: there is no such image',
	dph_total: 0.5,
	storage_total_cost: 0.03,
});

test('what failed is a problem that no sweep and no armed action destroys', () => {
	expect(failed.condition).toBe('failed');
	expect(isProblem(failed.condition)).toBe(true);
	expect(isSweepable(failed)).toBe(false);
	expect(bootOf(failed, true)).toBe('over');
	expect([fleetRow({id: 7}), failed].toSorted(byTrouble)[0]).toBe(failed);
});

test('what failed costs its disk, is found as stopped, and can be started within the limits', () => {
	expect(failed.rate).toEqual({now: 0.03, atMost: 0.03});
	expect(['stopped', 'failed', 'trouble'].map(word => isInState(failed, word))).toEqual([
		true,
		true,
		false,
	]);
	expect(spendingsOfStarts([failed], burnOf([failed]))).toMatchObject([{perHour: 0.5}]);
	expect(refusal('start', failed)).toBeUndefined();
	expect(refusal('stop', failed)).toBe('it is stopped');
});
