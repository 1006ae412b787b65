// Values of every type at every place of what a hook may give back, through PicoClaw's own decoder.
package agent

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sipeed/picoclaw/pkg/providers"
	"github.com/sipeed/picoclaw/pkg/tools"
)

var probedValues = []string{
	`5`, `-3`, `1.5`, `1e30`, `1e19`, `"text"`, `true`, `{"a":1}`, `["a"]`, `[5]`, `[{"a":1}]`, `null`,
	`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05.6+01:00"`, `"2026-02-30T03:04:05Z"`, `"2026-01-02"`,
}

// placesIn lists the paths of a type as its JSON names them; of a list's items the one at the index that the sample has.
func placesIn(kind reflect.Type, path []string) [][]string {
	switch {
	case kind.Kind() == reflect.Pointer:
		return placesIn(kind.Elem(), path)
	case kind.Kind() == reflect.Slice:
		index := "0"
		if len(path) == 1 && path[0] == "messages" {
			index = "1"
		}
		return append([][]string{path}, placesIn(kind.Elem(), append(path[:len(path):len(path)], index))...)
	case kind.Kind() != reflect.Struct || kind == reflect.TypeFor[time.Time]():
		return [][]string{path}
	}
	places := [][]string{path}
	for i := range kind.NumField() {
		field := kind.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "-" && field.IsExported() {
			places = append(places, placesIn(field.Type, append(path[:len(path):len(path)], name))...)
		}
	}
	return places
}

// withValue is a copy of a JSON value with another one at a path.
func withValue(at any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch at := at.(type) {
	case []any:
		index, _ := strconv.Atoi(path[0])
		at[index] = withValue(at[index], path[1:], value)
		return at
	case map[string]any:
		at[path[0]] = withValue(at[path[0]], path[1:], value)
		return at
	}
	return at
}

type probe struct {
	event, path, value string
	fits               bool
}

// probesOf tries every value at every place of a sample, also under a name in another case, which Go takes as well.
func probesOf(event string, sample any, kind reflect.Type, places [][]string) []probe {
	var probes []probe
	for _, place := range places {
		for _, capital := range []bool{false, true} {
			path := append([]string(nil), place...)
			last := len(path) - 1
			if capital {
				if _, err := strconv.Atoi(path[last]); err == nil {
					continue
				}
				path[last] = strings.ToUpper(path[last])
			}
			for _, text := range probedValues {
				var whole, value any
				_ = json.Unmarshal([]byte(asJSON(sample)), &whole)
				_ = json.Unmarshal([]byte(text), &value)
				if value == nil && capital {
					continue
				}
				changed := asJSON(withValue(whole, path, value))
				fits := json.Unmarshal([]byte(changed), reflect.New(kind).Interface()) == nil
				probes = append(probes, probe{event, strings.Join(path, "."), text, fits})
			}
		}
	}
	return probes
}

func TestPolicyTypes(t *testing.T) {
	request, response, result := sampleRequest("m", "hello"), sampleResponse("m", "hello"), sampleResult("exec", "hello")
	var places [][]string
	for _, place := range placesIn(reflect.TypeFor[LLMHookRequest](), nil) {
		if len(place) > 0 && strings.Contains("model messages tools options", place[0]) {
			places = append(places, place)
		}
	}
	probes := probesOf("before_llm", request, reflect.TypeFor[LLMHookRequest](), places)
	heard := placesIn(reflect.TypeFor[providers.LLMResponse](), nil)[1:]
	probes = append(probes, probesOf("after_llm", response.Response, reflect.TypeFor[providers.LLMResponse](), heard)...)
	given := placesIn(reflect.TypeFor[tools.ToolResult](), nil)[1:]
	probes = append(probes, probesOf("after_tool", result.Result, reflect.TypeFor[tools.ToolResult](), given)...)

	var policies []any
	for i, each := range probes {
		policies = append(policies, map[string]any{
			"id": fmt.Sprint("p", i), "on": each.event, "action": "modify",
			"rewrite":      map[string]any{"set": map[string]any{each.path: json.RawMessage(each.value)}},
			"model_prefix": fmt.Sprintf("probe-%d.", i),
		})
	}
	manager, _ := policyHook(t, asJSON(map[string]any{"version": 1, "policies": policies}))
	for event, count := range map[string]int{"before_llm": len(places), "after_llm": len(heard), "after_tool": len(given)} {
		var dropped, refused []string
		tried := 0
		for i, each := range probes {
			if each.event != event {
				continue
			}
			tried++
			outcome := playProbe(manager, each, fmt.Sprintf("probe-%d.", i))
			if outcome == "dropped" && !each.fits {
				dropped = append(dropped, each.path+": "+each.value)
			}
			// What would change tools, system messages or the names of calls is refused for that.
			kept := strings.HasPrefix(each.path, "tools") || strings.HasPrefix(each.path, "tool_calls") ||
				strings.EqualFold(each.path, "messages") || strings.EqualFold(each.path, "tools") || strings.EqualFold(each.path, "tool_calls")
			if outcome == "refused" && each.fits && !kept {
				refused = append(refused, each.path+": "+each.value)
			}
		}
		words := fmt.Sprintf("%d values at %d places: ", tried, count)
		scene("values of every type, "+event, words+"0 dropped, 0 refused that fit",
			words+fmt.Sprintf("%d dropped, %d refused that fit %s", len(dropped), len(refused),
				strings.Join(append(dropped, refused...)[:min(6, len(dropped)+len(refused))], "; ")))
	}
}

// playProbe says what became of an answer with the value in it: dropped, so that the original goes on, refused or changed.
func playProbe(manager *HookManager, each probe, model string) string {
	var decision HookDecision
	before, after := "", ""
	switch each.event {
	case "before_llm":
		request, verdict := manager.BeforeLLM(background, sampleRequest(model, "hello"))
		before, after, decision = asJSON(sampleRequest(model, "hello")), asJSON(request), verdict
	case "after_llm":
		response, verdict := manager.AfterLLM(background, sampleResponse(model, "hello"))
		before, after, decision = asJSON(sampleResponse(model, "hello")), asJSON(response), verdict
	case "after_tool":
		// The model of the session's last request is remembered.
		manager.BeforeLLM(background, &LLMHookRequest{Meta: sampleMeta("llm"), Model: model + "x"})
		result, verdict := manager.AfterTool(background, sampleResult("exec", "hello"))
		before, after, decision = asJSON(sampleResult("exec", "hello")), asJSON(result), verdict
		if result.Result.IsError && strings.HasPrefix(result.Result.ForLLM, "Refused by") {
			return "refused"
		}
	}
	switch {
	case decision.Action == HookActionAbortTurn:
		return "refused"
	case before == after:
		return "dropped"
	}
	return "changed"
}
